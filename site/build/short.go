package main

import "fmt"

// shortPages writes an address for each stop of a lesson that can be read out and typed, l/LESSON/STOP: it leads there at once.
func (b *builder) shortPages(l *recorded, lang string, lesson pageLesson) error {
	for i := range lesson.Stops {
		path := fmt.Sprintf("l/%d/%d/", lesson.Number, i+1)
		p := b.page(path, lang)
		p.Title, p.Description = fmt.Sprintf("%d · %s · %d", lesson.Number, lesson.Title, i+1), l.Texts[lang].Intro
		p.Fill = fmt.Sprintf("%slessons/%s/#s=%d", p.Home, l.ID, i+1)
		if err := b.writePage(path, "short", p); err != nil {
			return err
		}
	}
	return nil
}
