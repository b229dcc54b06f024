package script

import (
	"slices"
	"strconv"
	"strings"
)

// noPath says that a bare word is no path where only a path makes sense.
func (p *exprParser) noPath(t exprToken) *Error {
	return errorAt(p.source, t.from, t.to, "expected a path; %s starts with none of %s, step, before and after (text stands in quotes)",
		t.text, strings.Join(roots, ", "))
}

// operand reads a value. textual says that a bare word without brackets that starts with a station is text.
func (p *exprParser) operand(textual bool) (node, *Error) {
	t := p.tok
	switch {
	case t.kind == tokString:
		return &literal{value: t.value}, p.advance()
	case p.is("("):
		return p.parenthesis()
	case p.is("["):
		items, err := p.list()
		return &literal{value: items}, err
	case t.kind == tokWord && !keyword(t.text):
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.is("(") && p.tok.from == t.to {
			return p.call(t)
		}
		return p.word(t, textual)
	}
	return nil, p.wrong("a path, a value, not or (")
}

func keyword(text string) bool {
	return slices.Contains([]string{"and", "or", "not", "in", "contains"}, text)
}

func (p *exprParser) parenthesis() (node, *Error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if err := p.advance(); err != nil {
		return nil, err
	}
	inner, err := p.or()
	if err != nil {
		return nil, err
	}
	if !p.is(")") {
		return nil, p.wrong(")")
	}
	return inner, p.advance()
}

// list reads [1, orders-0, [2,3]]: bare words are text.
func (p *exprParser) list() ([]any, *Error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	out := []any{}
	err := p.advance()
	for err == nil && !p.is("]") {
		switch t := p.tok; {
		case p.is("["):
			var inner []any
			inner, err = p.list()
			out = append(out, inner)
		case t.kind == tokString:
			out = append(out, t.value)
			err = p.advance()
		case t.kind == tokWord && !t.brackets:
			out = append(out, constant(t.text))
			err = p.advance()
		default:
			return nil, p.wrong("a value or ]")
		}
		if err == nil && !p.is("]") {
			if !p.is(",") {
				return nil, p.wrong(", or ]")
			}
			if err = p.advance(); err == nil && p.is("]") {
				return nil, p.wrong("a value")
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return out, p.advance()
}

// functions take one path.
var functions = map[string]bool{"count": true, "exists": true}

func (p *exprParser) call(name exprToken) (node, *Error) {
	if !functions[name.text] {
		return nil, errorAt(p.source, name.from, name.to, "there is no function %s; expected count or exists", name.text)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	t := p.tok
	if t.kind != tokWord {
		return nil, p.wrong("a path")
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	inner, err := p.word(t, false)
	if err != nil {
		return nil, err
	}
	path, ok := inner.(*pathNode)
	if !ok {
		return nil, p.noPath(t)
	}
	if !p.is(")") {
		return nil, p.wrong(")")
	}
	return &callNode{name.text, path}, p.advance()
}

// word makes a constant or a path of a bare word.
func (p *exprParser) word(t exprToken, textual bool) (node, *Error) {
	first, _, _ := strings.Cut(t.text, ".")
	first, _, _ = strings.Cut(first, "[")
	special := first == "step" || first == "before" || first == "after"
	station := slices.Contains(roots, first)
	if !special && (!station || textual && !t.brackets) {
		if t.brackets {
			return nil, p.noPath(t)
		}
		value := constant(t.text)
		_, text := value.(string)
		_, isNumber := tagged(t.text)
		return &literal{value: value, bare: text && !isNumber}, nil
	}
	if t.words == nil {
		return nil, errorAt(p.source, t.from, t.to, "expected a word at each side of every dot")
	}
	n := &pathNode{words: t.words}
	switch first {
	case "step":
		n.from, n.words = fromStep, n.words[1:]
		return n, p.checkStep(t, n.words)
	case "before", "after":
		if first == "before" {
			n.from = fromBefore
		}
		n.words = n.words[1:]
		if len(n.words) == 0 || !slices.Contains(roots, n.words[0]) {
			return nil, errorAt(p.source, t.from, t.to, "expected %s.PATH, where PATH starts with %s", first, either(roots))
		}
	}
	return n, nil
}

// checkStep reports a field that no step has.
func (p *exprParser) checkStep(t exprToken, words []string) *Error {
	if len(words) > 0 {
		if more, known := stepFields[words[0]]; known && (!more || len(words) > 1) {
			return nil
		}
	}
	return errorAt(p.source, t.from, t.to,
		"expected step.FIELD, where FIELD is args.NAME, causes, entity, i, id, ids.NAME, invariants, kind, lane, msg or vtime_ms")
}

// constant reads a bare word as a value: none, true, false, a number, else text.
func constant(text string) any {
	switch text {
	case "none":
		return nil
	case "true":
		return true
	case "false":
		return false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if f, ok := decimal(text); ok {
		return f
	}
	return text
}

// decimal reads digits, a dot and digits; text with other forms of numbers stays text.
func decimal(text string) (float64, bool) {
	if strings.Trim(text, "0123456789.-") != "" || strings.Count(text, ".") != 1 {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}
