package main

import (
	"fmt"
	"strings"
)

// teachFile is text/teach.yaml.
type teachFile struct {
	Minutes int
	Blocks  []struct {
		Minutes   int
		Title, Do bilingual
		Lesson    string
		Ask       []string
		Try       []teachTry
	}
}

// teachTry is a future worth a look: from a stop on, lines of script, what is seen then, and an expression that says so.
type teachTry struct {
	At     string
	Lines  []string
	See    bilingual
	Expect string
}

// teachFill is the plan of a class.
type teachFill struct {
	Minutes int
	Blocks  []teachBlock
}

// teachBlock is a part of it: From and To are minutes since the beginning.
type teachBlock struct {
	From, To     int
	Title, Do    string
	Lesson, Href string
	Number       int
	Ask          []teachQuestion
}

// teachQuestion is a question of a lesson with where it is asked and what is right.
type teachQuestion struct {
	stopLink
	Question, Answer, Why string
}

func fillTeach(b *builder, lang string) (any, error) {
	var file teachFile
	if err := b.readYAML("teach.yaml", &file); err != nil {
		return nil, err
	}
	out := teachFill{Minutes: file.Minutes}
	at := 0
	for _, f := range file.Blocks {
		block := teachBlock{From: at, To: at + f.Minutes, Title: f.Title[lang], Do: f.Do[lang]}
		at = block.To
		if f.Lesson != "" {
			l := b.lesson(f.Lesson)
			if l == nil {
				return nil, fmt.Errorf("teach.yaml: there is no lesson %s", f.Lesson)
			}
			block.Lesson, block.Number, block.Href = l.Texts[lang].Title, l.number, "lessons/"+l.ID+"/"
		}
		for _, stop := range f.Ask {
			q, err := b.question(f.Lesson+"#"+stop, lang)
			if err != nil {
				return nil, fmt.Errorf("teach.yaml: %w", err)
			}
			block.Ask = append(block.Ask, q)
		}
		out.Blocks = append(out.Blocks, block)
	}
	if at != file.Minutes {
		return nil, fmt.Errorf("teach.yaml: the blocks take %d minutes, not %d", at, file.Minutes)
	}
	return out, nil
}

// question reads the question of a stop and its right answer from the lesson.
func (b *builder) question(name, lang string) (teachQuestion, error) {
	p, err := b.place(name)
	if err != nil {
		return teachQuestion{}, err
	}
	a := ask(p.Stop.Ask, p.Lesson.Texts[lang].Stops[p.Stop.ID])
	if a == nil {
		return teachQuestion{}, fmt.Errorf("%s asks nothing", name)
	}
	q := teachQuestion{stopLink: b.link(p, lang), Question: a.Question}
	var answers, reasons []string
	for _, c := range a.right() {
		answers, reasons = append(answers, c.Text), append(reasons, c.Why)
	}
	q.Answer, q.Why = strings.Join(answers, " · "), strings.Join(reasons, " ")
	return q, nil
}
