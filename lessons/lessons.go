// Package lessons embeds the lessons and the sentences of all messages, and reads them. A lesson is a folder NN-name with
// lesson.yaml (what machines need) and one Markdown file a language (the prose); README.md here says how to write one.
package lessons

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"controllerscope/core/lesson"
)

//go:embed */lesson.yaml */*.md messages/*.yaml
var files embed.FS

// Names lists the embedded lessons in order.
func Names() []string {
	found, _ := fs.Glob(files, "*/lesson.yaml")
	var names []string
	for _, f := range found {
		names = append(names, filepath.Dir(f))
	}
	slices.Sort(names)
	return names
}

// Embedded reads an embedded lesson by its folder name.
func Embedded(name string) (*lesson.Lesson, error) { return read(files, name) }

// Open reads a lesson from a folder.
func Open(folder string) (*lesson.Lesson, error) {
	return read(os.DirFS(filepath.Dir(folder)), filepath.Base(folder))
}

func read(from fs.FS, name string) (*lesson.Lesson, error) {
	file := name + "/lesson.yaml"
	data, err := fs.ReadFile(from, file)
	if err != nil {
		return nil, fmt.Errorf("%s: no such lesson; there are %v", name, Names())
	}
	if data, err = utf8Text(file, data); err != nil {
		return nil, err
	}
	l := &lesson.Lesson{Texts: map[string]*lesson.Text{}}
	if l.Places, err = readShaped(file, data, l); err != nil {
		return nil, err
	}
	switch l.ID {
	case name:
	case "":
		return nil, fmt.Errorf("%s: field id is missing; write id: %s, the name of the folder", file, name)
	default:
		return nil, fmt.Errorf("%s:%d: id is %q, but the folder is %s", file, l.Places["id"].Line, l.ID, name)
	}
	for _, lang := range lesson.Languages() {
		prose := name + "/" + lang + ".md"
		data, err := fs.ReadFile(from, prose)
		if err != nil {
			return nil, fmt.Errorf("%s is missing", prose)
		}
		if data, err = utf8Text(prose, data); err != nil {
			return nil, err
		}
		if l.Texts[lang], err = lesson.ParseText(prose, string(data)); err != nil {
			return nil, err
		}
	}
	if err := l.Validate(); err != nil {
		return nil, err
	}
	return l, known(l, from)
}

// known checks that the lessons to know before are there: beside this one, or among the embedded ones.
func known(l *lesson.Lesson, from fs.FS) error {
	beside, _ := fs.Glob(from, "*/lesson.yaml")
	all := Names()
	for _, f := range beside {
		all = append(all, filepath.Dir(f))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i, need := range l.Needs {
		if !slices.Contains(all, need) {
			return l.Wrong(fmt.Sprintf("needs[%d]", i), fmt.Errorf("needs[%d]: there is no lesson %q; there are %s", i, need, strings.Join(all, ", ")))
		}
	}
	return nil
}

// utf8Text is a file's text without the byte order mark that some editors put before it.
func utf8Text(file string, data []byte) ([]byte, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s is not text in UTF-8; save it with that encoding", file)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// Sentences reads the sentence templates of one language by message key: "{name}" stands for an argument.
func Sentences(lang string) (map[string]string, error) {
	data, err := files.ReadFile("messages/" + lang + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("no messages in language %q; there are %v", lang, lesson.Languages())
	}
	out := map[string]string{}
	if err := yaml.Unmarshal(data, &out); err != nil {
		return nil, yamlError("messages/"+lang+".yaml", err)
	}
	return out, nil
}
