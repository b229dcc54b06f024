package main

import "path/filepath"

// cards are what pages say of a znode or a term that is pointed at or has the focus (src/parts/tips.ts).
type cards struct {
	Terms  map[string]cardTerm `json:"terms"`  // of the glossary, by id
	Znodes []cardZnode         `json:"znodes"` // of text/cards.yaml
}

// cardTerm is a term; the words of Said lead to it from prose.
type cardTerm struct {
	Name string   `json:"name"`
	Text string   `json:"text"`
	Said []string `json:"said,omitempty"`
}

// cardZnode is what a znode is for; * in Path stands for one name.
type cardZnode struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// cardsIn reads the cards of one language.
func cardsIn(site, lang string) (cards, error) {
	out := cards{Terms: map[string]cardTerm{}}
	var terms glossaryFile
	if err := readStrict(filepath.Join(site, "text", "glossary.yaml"), &terms); err != nil {
		return out, err
	}
	for _, t := range terms.Terms {
		out.Terms[t.ID] = cardTerm{t.Name[lang], t.Text[lang], t.Said[lang]}
	}
	var znodes []struct{ Path, En, Zh string }
	if err := readStrict(filepath.Join(site, "text", "cards.yaml"), &znodes); err != nil {
		return out, err
	}
	for _, z := range znodes {
		text := z.En
		if lang == "zh" {
			text = z.Zh
		}
		out.Znodes = append(out.Znodes, cardZnode{z.Path, text})
	}
	return out, nil
}
