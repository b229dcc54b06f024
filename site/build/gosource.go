package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// goFunction is the text of one of our functions, with its comment, as it stands in its file.
type goFunction struct {
	File string `json:"file"`
	Line int    `json:"line"` // of the first line of Text, from 1
	Text string `json:"text"`
}

// mentions lists the lines that name a message key, from 0.
func (f goFunction) mentions(key string) []int {
	var out []int
	for i, line := range strings.Split(f.Text, "\n") {
		if strings.Contains(line, strconv.Quote(key)) {
			out = append(out, i)
		}
	}
	return out
}

// sources reads functions of the packages below core by the names that messages give as src.
type sources struct {
	root     string // of the repository
	packages map[string]map[string]goFunction
}

// function finds "controller.(*Controller).elect", "sim.network.Send" or "env.P".
func (s *sources) function(src string) (goFunction, error) {
	pkg, name, ok := strings.Cut(src, ".")
	if !ok {
		return goFunction{}, fmt.Errorf("src %q is no function; write PACKAGE.FUNCTION or PACKAGE.(*TYPE).METHOD", src)
	}
	if s.packages[pkg] == nil {
		read, err := readPackage(s.root, pkg)
		if err != nil {
			return goFunction{}, err
		}
		s.packages[pkg] = read
	}
	f, ok := s.packages[pkg][name]
	if !ok {
		return goFunction{}, fmt.Errorf("core/%s has no function %s", pkg, name)
	}
	return f, nil
}

// readPackage cuts every function out of the files of a package.
func readPackage(root, pkg string) (map[string]goFunction, error) {
	files, err := filepath.Glob(filepath.Join(root, "core", pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	out := map[string]goFunction{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			begin, end := set.Position(from), set.Position(f.End())
			out[nameOf(f)] = goFunction{"core/" + pkg + "/" + filepath.Base(file), begin.Line, string(text[begin.Offset:end.Offset])}
		}
	}
	return out, nil
}

// nameOf is a function's name as stack traces write it, without its package.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	star, isPointer := t.(*ast.StarExpr)
	if isPointer {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	name, ok := t.(*ast.Ident)
	switch {
	case !ok:
		return f.Name.Name
	case isPointer:
		return "(*" + name.Name + ")." + f.Name.Name
	}
	return name.Name + "." + f.Name.Name
}
