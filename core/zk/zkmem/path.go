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
	for name := range strings.SplitSeq(path[1:], "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	for _, r := range path {
		if r <= 0x1F || r >= 0x7F && r <= 0x9F || r >= 0xD800 && r <= 0xF8FF || r >= 0xFFF0 {
			return false
		}
	}
	return true
}

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
