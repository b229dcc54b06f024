package lessons

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"controllerscope/core/lesson"
)

// shape compares a document of YAML with the Go type that it is read into, so that what does not fit is told in words of
// YAML, with line and field. On the way it notes where each field stands.
type shape struct {
	file   string
	source []string // its lines
	places map[string]lesson.Place
}

// readShaped reads a file of one document into what out points at. A key without a value is as if it were not there.
func readShaped(file string, data []byte, out any) (map[string]lesson.Place, error) {
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, yamlError(file, err)
	}
	docs := slices.DeleteFunc(parsed.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil || d.Body.Type() == ast.CommentType })
	switch {
	case len(docs) == 0:
		return nil, fmt.Errorf("%s is empty; README.md of the lessons says what stands in it", file)
	case len(docs) > 1:
		return nil, fmt.Errorf("%s:%d: a second document begins here; one is read", file, docs[1].Body.GetToken().Position.Line)
	}
	s := &shape{file, strings.Split(string(data), "\n"), map[string]lesson.Place{}}
	if err := s.value(docs[0].Body, reflect.TypeOf(out).Elem(), ""); err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalWithOptions(data, out, yaml.Strict()); err != nil {
		return nil, yamlError(file, err)
	}
	return s.places, nil
}

// value checks one value and what is in it.
func (s *shape) value(n ast.Node, t reflect.Type, path string) error {
	switch x := n.(type) {
	case *ast.AnchorNode:
		return s.value(x.Value, t, path)
	case *ast.TagNode:
		return s.value(x.Value, t, path)
	case *ast.NullNode, *ast.AliasNode: // an alias stands for what was checked where its anchor is, and decoding looks at it
		return nil
	}
	s.places[path] = s.place(n)
	switch t.Kind() {
	case reflect.Pointer:
		return s.value(n, t.Elem(), path)
	case reflect.Struct, reflect.Map:
		return s.mapping(n, t, path)
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			return s.wrong(n, path, "a list is wanted")
		}
		for i, x := range list.Values {
			if err := s.value(x, t.Elem(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	return s.scalar(n, t, path)
}

// scalar checks a text or a whole number; of a seed traces have 63 bits.
func (s *shape) scalar(n ast.Node, t reflect.Type, path string) (err error) {
	_, whole := n.(*ast.IntegerNode)
	switch t.Kind() {
	case reflect.Int:
		if _, err = strconv.ParseInt(n.GetToken().Value, 0, t.Bits()); !whole || err != nil {
			return s.wrong(n, path, "a whole number is wanted")
		}
	case reflect.Uint64:
		if _, err = strconv.ParseUint(n.GetToken().Value, 0, 63); !whole || err != nil {
			return s.wrong(n, path, "a whole number is wanted, 0 or more")
		}
	default:
		if _, ok := n.(ast.ScalarNode); !ok {
			return s.wrong(n, path, "a text is wanted")
		}
	}
	return nil
}

// mapping checks the fields of a record, or the values of a map of texts.
func (s *shape) mapping(n ast.Node, t reflect.Type, path string) error {
	fields, ok := n.(*ast.MappingNode)
	if !ok {
		want := "names with their values are wanted (NAME: VALUE)"
		if t.Kind() == reflect.Struct {
			want = "fields are wanted (NAME: VALUE) of " + strings.Join(slices.Sorted(maps.Keys(fieldsOf(t))), ", ")
		}
		return s.wrong(n, path, want)
	}
	known := fieldsOf(t)
	for _, f := range fields.Values {
		if f.Key.IsMergeKey() {
			continue // decoding looks at it
		}
		key := f.Key.GetToken()
		of, ok := known[key.Value]
		if t.Kind() == reflect.Map {
			of, ok = t.Elem(), true
		}
		if !ok {
			in := ""
			if path != "" {
				in = " in " + path
			}
			return fmt.Errorf("%s:%d: there is no field %q%s; the fields are %s",
				s.file, key.Position.Line, key.Value, in, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if err := s.value(f.Value, of, strings.TrimPrefix(path+"."+key.Value, ".")); err != nil {
			return err
		}
	}
	return nil
}

// fieldsOf are the fields of a record by the names that YAML has for them.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if name := t.Field(i).Tag.Get("yaml"); name != "-" {
				out[name] = t.Field(i).Type
			}
		}
	}
	return out
}

// wrong says what is wanted in the place of a value.
func (s *shape) wrong(n ast.Node, path, want string) error {
	got := ""
	switch x := n.(type) {
	case *ast.MappingNode:
		got = "fields"
	case *ast.SequenceNode:
		got = "a list"
	case *ast.LiteralNode:
		got = "a text of lines"
	default:
		first, _, _ := strings.Cut(x.GetToken().Value, "\n")
		got = fmt.Sprintf("%.40q", first)
	}
	if path != "" {
		path = " " + path + ":"
	}
	return fmt.Errorf("%s:%d:%s %s, not %s", s.file, s.place(n).Line, path, want, got)
}

// place is where a value begins; of a block of lines, where its text does.
func (s *shape) place(n ast.Node) lesson.Place {
	if block, ok := n.(*ast.LiteralNode); ok && strings.HasPrefix(block.Start.Value, "|") {
		line := block.Start.Position.Line + 1
		for _, text := range s.source[min(line-1, len(s.source)):] {
			if bare := strings.TrimLeft(text, " "); strings.TrimSpace(bare) != "" {
				return lesson.Place{Line: line, Indent: len(text) - len(bare)}
			}
		}
		return lesson.Place{Line: line}
	}
	if fields, ok := n.(*ast.MappingNode); ok && len(fields.Values) > 0 {
		n = fields.Values[0].Key // the token of a mapping is the colon of its first field
	}
	return lesson.Place{Line: n.GetToken().Position.Line}
}

// yamlError names the file and, where the parser knows it, the line.
func yamlError(file string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return fmt.Errorf("%s:%d: %s", file, at.GetToken().Position.Line, at.GetMessage())
	}
	return fmt.Errorf("%s: %w", file, err)
}
