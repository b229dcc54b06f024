package zkmem

import "strings"

// validPath is PathUtils.validatePath, which looks at UTF-16 units: so everything beyond U+FFFF is refused for its
// surrogates, and bytes that are no UTF-8 for the replacement character they decode to.
func validPath(path string) bool {
	if path == "/" {
		return true
	}
	if path == "" || path[0] != '/' || path[len(path)-1] == '/' {
		return false
	}
	begin := 1 // of the name at hand
	for i, r := range path {
		switch {
		case r == '/' && i > 0:
			if !validName(path[begin:i]) {
				return false
			}
			begin = i + 1
		case r <= 0x1F || r >= 0x7F && r <= 0x9F || r >= 0xD800 && r <= 0xF8FF || r >= 0xFFF0:
			return false
		}
	}
	return validName(path[begin:])
}

func validName(name string) bool { return name != "" && name != "." && name != ".." }

// splittable reports what the server asks of a path before it looks for its parent: a slash and no NUL.
func splittable(path string) bool {
	return strings.IndexByte(path, '/') >= 0 && strings.IndexByte(path, 0) < 0
}

// systemNode reports the nodes that cannot be deleted.
func systemNode(path string) bool {
	switch path {
	case "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config":
		return true
	}
	return false
}
