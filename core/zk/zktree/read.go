package zktree

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"controllerscope/core/zk"
)

// Error says where a text is no tree, and why.
type Error struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// reader reads the lines of one text.
type reader struct {
	file     string
	line     int
	tree     Tree
	index    map[string]int // of a path in tree
	lines    []int          // of the nodes in tree
	children []int32        // of the nodes in tree
}

func (r *reader) fail(format string, args ...any) error {
	return &Error{r.file, r.line, fmt.Sprintf(format, args...)}
}

// Read reads a text; file is what errors, which are *Error, call it.
func Read(file, text string) (Tree, error) {
	r := &reader{file: file, index: map[string]int{}}
	began := false
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) { // a byte order mark is an editor's
		r.line++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case !began && line != Format:
			return nil, r.fail("%q is not a tree; the first line must be %s", clip(line), Format)
		case !began:
			began = true
		default:
			if err := r.node(line); err != nil {
				return nil, err
			}
		}
	}
	if !began {
		r.line++
		return nil, r.fail("the text is empty; the first line must be %s", Format)
	}
	for i, n := range r.tree {
		if n.Creates < r.children[i] {
			r.line = r.lines[i]
			return nil, r.fail("%s has %d children, so creates=%d cannot be: it counts all that were ever made", n.Path, r.children[i], n.Creates)
		}
	}
	r.tree.Sort()
	return r.tree, nil
}

// node reads one line.
func (r *reader) node(line string) error {
	n := zk.Plant{Version: -1, Creates: -1}
	path, rest, err := word(line)
	if err != nil {
		return r.fail("%v", err)
	}
	n.Path = path
	for rest != "" {
		var key string
		if key, rest, err = r.field(&n, rest); err != nil {
			return r.fail("%v", err)
		}
		if key == "data" || key == "quoted" {
			break
		}
	}
	if n.Version < 0 || n.Creates < 0 {
		return r.fail("version=N and creates=N are both needed, none below 0")
	}
	return r.add(n)
}

// word reads a path, which may stand in quotes.
func word(line string) (path, rest string, err error) {
	if !strings.HasPrefix(line, `"`) {
		path, rest, _ = strings.Cut(line, " ")
		return path, rest, nil
	}
	quoted, err := strconv.QuotedPrefix(line)
	if err == nil {
		path, err = strconv.Unquote(quoted)
	}
	if err != nil {
		return "", "", fmt.Errorf("%q begins with a quote that does not end", clip(line))
	}
	return path, strings.TrimPrefix(line[len(quoted):], " "), nil
}

// mostCreates is the largest count that a Stat can show: its Cversion holds twice the count in 32 bits.
const mostCreates = math.MaxInt32 / 2

// field reads the next KEY=VALUE.
func (r *reader) field(n *zk.Plant, text string) (key, rest string, err error) {
	key, value, found := strings.Cut(text, "=")
	switch {
	case !found:
		key = ""
	case key == "data":
		n.Data = []byte(value)
		return key, "", nil
	case key == "quoted":
		data, err := strconv.Unquote(value)
		if err != nil {
			return "", "", fmt.Errorf("%q is not a quoted string to the end of the line", clip(value))
		}
		n.Data = []byte(data)
		return key, "", nil
	}
	value, rest, _ = strings.Cut(value, " ")
	switch key {
	case "version", "creates":
		most := map[string]int64{"version": math.MaxInt32, "creates": mostCreates}[key]
		number, err := strconv.ParseInt(value, 10, 32)
		if err != nil || number < 0 || number > most {
			return "", "", fmt.Errorf("%s=%s is not a number from 0 to %d", key, clip(value), most)
		}
		if key == "version" {
			n.Version = int32(number)
		} else {
			n.Creates = int32(number)
		}
	case "owner":
		id, err := strconv.ParseUint(value, 0, 64)
		if err != nil || id == 0 {
			return "", "", fmt.Errorf("owner=%s is not the id of a session, such as 0x100000000000001", clip(value))
		}
		n.Owner = zk.SessionID(id)
	default:
		return "", "", fmt.Errorf("%q is not known here; a node has version=, creates=, owner= and last data= or quoted=", clip(text))
	}
	return key, rest, nil
}

// add puts a node under its parent.
func (r *reader) add(n zk.Plant) error {
	if problem := badPath(n.Path); problem != "" {
		return r.fail("%s", problem)
	}
	if _, twice := r.index[n.Path]; twice {
		return r.fail("%s stands twice", n.Path)
	}
	if n.Path == "/" && (len(r.tree) > 0 || n.Owner != 0) {
		return r.fail("the root, /, must stand before all others and is nobody's ephemeral")
	}
	if cut := strings.LastIndexByte(n.Path, '/'); cut > 0 {
		parent, found := r.index[n.Path[:cut]]
		if !found {
			return r.fail("%s has no parent here; %s must stand before it", n.Path, n.Path[:cut])
		}
		if r.tree[parent].Owner != 0 {
			return r.fail("%s cannot be: its parent is ephemeral, and those have no children", n.Path)
		}
		r.children[parent]++
	} else if root, found := r.index["/"]; found && n.Path != "/" {
		r.children[root]++
	}
	r.index[n.Path] = len(r.tree)
	r.tree, r.lines, r.children = append(r.tree, n), append(r.lines, r.line), append(r.children, 0)
	return nil
}

// badPath says why a path cannot be one of a tree, "" if it can.
func badPath(path string) string {
	switch {
	case path == "/":
		return ""
	case !strings.HasPrefix(path, "/"):
		return fmt.Sprintf("%q is not a path; paths begin with a slash", clip(path))
	case Own(path):
		return path + " belongs to ZooKeeper itself and cannot be part of a tree"
	}
	for name := range strings.SplitSeq(path[1:], "/") {
		if name == "" || name == "." || name == ".." {
			return fmt.Sprintf("%q is not a path: no name in it may be empty, . or ..", clip(path))
		}
	}
	for _, c := range path {
		if c <= 0x1F || c >= 0x7F && c <= 0x9F || c >= 0xD800 && c <= 0xF8FF || c >= 0xFFF0 {
			return fmt.Sprintf("%q is not a path: ZooKeeper does not allow the character %q", clip(path), c)
		}
	}
	return ""
}

// clip cuts text to fit a sentence.
func clip(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
