package main

// traceFill is what the trace page carries: its words, and the lessons' recordings.
type traceFill struct {
	Words map[string]string `json:"words"`
	Ready []readyTrace      `json:"ready"`
}

type readyTrace struct {
	Title string `json:"title"`
	Run   string `json:"run"`
	File  string `json:"file"` // relative to the site's root
}

func fillTrace(b *builder, lang string) (any, error) {
	words, err := readWords(b.site, "trace.")
	if err != nil {
		return nil, err
	}
	out := traceFill{Words: words[lang]}
	for _, l := range b.lessons {
		for i, r := range l.Runs {
			out.Ready = append(out.Ready, readyTrace{l.Texts[lang].Title, r.ID, l.traces[i]})
		}
	}
	return out, nil
}
