package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/run"
	"controllerscope/site/fidelity"
)

// fidelityFill is what the page says beside its prose; all of it is read from the program and from what tests wrote.
type fidelityFill struct {
	Results []fidelityResult
	Defects []defect
	Guards  []switched
	Fixes   []switched
	Core    string
}

type fidelityResult struct {
	fidelity.Result
	Recordings, Steps, Passed, Failed, Left int // Left: steps after the end of a replay
}

// defect is a known violation of 2.8.2; Lang is the language of Reason.
type defect struct {
	run.Defect
	Text, Lang string
}

// switched is a guard or a fix that scripts can switch, with what the source says of it.
type switched struct{ Line, Text string }

func fillFidelity(b *builder, lang string) (any, error) {
	root := filepath.Join(b.site, "..")
	results, err := fidelity.Read(root)
	if err != nil {
		return nil, err
	}
	out := fidelityFill{Core: run.Version}
	for _, r := range results {
		sum := fidelityResult{Result: r, Recordings: len(r.Rows)}
		for _, row := range r.Rows {
			sum.Steps, sum.Passed, sum.Failed, sum.Left = sum.Steps+row.Steps, sum.Passed+row.Passed, sum.Failed+row.Failed, sum.Left+row.Steps-row.Played
		}
		out.Results = append(out.Results, sum)
	}
	reasons := map[string]string{}
	if lang != "en" {
		if err := b.readYAML("defects."+lang+".yaml", &reasons); err != nil {
			return nil, err
		}
	}
	for _, d := range run.Defects {
		entry := defect{d, d.Reason, "en"}
		if told, ok := reasons[d.Name]; ok {
			entry.Text, entry.Lang = told, lang
		}
		out.Defects = append(out.Defects, entry)
	}
	comments, err := constants(filepath.Join(root, "core", "env", "env.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range env.Guards() {
		out.Guards = append(out.Guards, switched{"guard." + name + " off", comments[name]})
	}
	for _, name := range env.Fixes() {
		out.Fixes = append(out.Fixes, switched{"fix." + name + " on", comments[name]})
	}
	return out, nil
}

// constants reads the comment behind each text constant of a Go file, by the constant's value.
func constants(file string) (map[string]string, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("the switches: %w", err)
	}
	out := map[string]string{}
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || spec.Comment == nil {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if value, err := strconv.Unquote(lit.Value); err == nil {
				out[value] = strings.TrimSpace(spec.Comment.Text())
			}
		}
		return true
	})
	for _, name := range slices.Concat(env.Guards(), env.Fixes()) {
		if out[name] == "" {
			return nil, fmt.Errorf("%s: the switch %s has no comment", file, name)
		}
	}
	return out, nil
}
