package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"controllerscope/core/sim"
)

// preset is a world that the sandbox can begin with; its texts are words of text/sandbox.LANG.json.
type preset struct {
	ID     string `yaml:"id" json:"id"`
	Setup  string `yaml:"setup" json:"setup"` // not recorded
	Often  *often `yaml:"often" json:"often,omitempty"`
	Script string `yaml:"script" json:"script"` // operations to begin with, each in the history
	Title  string `yaml:"-" json:"title"`
	About  string `yaml:"-" json:"about"`
}

// often is a line that ends the set-up so many times over, before the world comes to rest; the page writes it out.
type often struct {
	Line  string `yaml:"line" json:"line"`
	Times int    `yaml:"times" json:"times"`
}

// whole is the set-up as the page writes it out.
func (p preset) whole() string {
	if p.Often == nil {
		return p.Setup
	}
	return p.Setup + strings.Repeat(p.Often.Line+"\n", p.Often.Times) + "until idle\n"
}

// sandboxFill is what the sandbox carries.
type sandboxFill struct {
	Words      map[string]string `json:"words"`
	Invariants []namedSentence   `json:"invariants"`
	Presets    []preset          `json:"presets"`
}

type namedSentence struct {
	Name     string `json:"name"`
	Sentence string `json:"sentence"`
}

func fillSandbox(b *builder, lang string) (any, error) {
	words, err := readWords(b.site, "sandbox.")
	if err != nil {
		return nil, err
	}
	presets, err := readPresets(b.site)
	if err != nil {
		return nil, err
	}
	out := sandboxFill{Words: words[lang], Presets: presets}
	for i := range out.Presets {
		p := &out.Presets[i]
		p.Title, p.About = words[lang]["preset."+p.ID], words[lang]["preset."+p.ID+".about"]
	}
	for _, i := range sim.Invariants() {
		out.Invariants = append(out.Invariants, namedSentence{i.Name, i.Sentence})
	}
	return out, nil
}

// readPresets reads text/presets.yaml.
func readPresets(site string) ([]preset, error) {
	data, err := os.ReadFile(filepath.Join(site, "text", "presets.yaml"))
	if err != nil {
		return nil, err
	}
	var out []preset
	return out, yaml.UnmarshalWithOptions(data, &out, yaml.Strict())
}
