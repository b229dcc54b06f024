package main

// listed is a lesson in a list.
type listed struct {
	Folder, Title, Intro string
	Number, Minutes      int
}

// fillMap lists the lessons.
func fillMap(b *builder, lang string) (any, error) {
	var out []listed
	for _, l := range b.lessons {
		out = append(out, listed{l.ID + "/", l.Texts[lang].Title, l.Texts[lang].Intro, l.number, l.Minutes})
	}
	return out, nil
}
