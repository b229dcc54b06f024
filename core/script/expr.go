package script

import (
	"slices"
	"strconv"
	"strings"
)

// Expr is a compiled expression. It keeps what it parsed last out of JSON text, so one goroutine at a time may use it.
type Expr struct {
	root node
	text string
}

// ParseExpr compiles an expression. The error is an *Error.
func ParseExpr(text string) (*Expr, error) {
	expr, end, err := parseExpr(text, 0)
	if err != nil {
		return nil, err
	}
	if end < len(text) {
		return nil, errorAt(text, end, len(text), "expected the end; an expression has no comment here")
	}
	return expr, nil
}

// String prints the expression in canonical spacing.
func (e *Expr) String() string { return e.text }

// Roots lists the words a path starts with, besides step, before and after: the stations of the world document.
func Roots() []string { return slices.Clone(roots) }

var roots = []string{"batch", "broker", "channel", "clock", "config", "ctl", "ctx", "fix", "guard", "handler", "hold", "lane",
	"metric", "queue", "session", "timer", "view", "watch", "wire", "zk", "zxid"}

// stepFields are the words that can follow step; those that are true need a word more.
var stepFields = map[string]bool{"i": false, "id": false, "vtime_ms": false, "lane": false, "kind": false, "entity": false,
	"msg": false, "causes": false, "invariants": false, "args": true, "ids": true}

// operators are what stands between two operands.
var operators = []string{"=", "!=", "<", "<=", ">", ">=", "in", "contains"}

// exprParser reads by recursive descent: or, and, not, comparison, operand.
type exprParser struct {
	lexer
	tok   exprToken // the next one
	shown []string  // texts of those taken
	depth int
}

// parseExpr compiles what stands in source from the given byte up to a comment or the end, and returns where that is.
func parseExpr(source string, from int) (*Expr, int, *Error) {
	p := &exprParser{lexer: lexer{source: source, at: from}}
	if err := p.advance(); err != nil {
		return nil, 0, err
	}
	root, err := p.or()
	if err != nil {
		return nil, 0, err
	}
	if p.tok.kind != tokEnd {
		return nil, 0, p.wrong("an operator (%s), and, or, or the end", strings.Join(operators, " "))
	}
	return &Expr{root, spaced(p.shown)}, p.tok.from, nil
}

// advance takes the next token.
func (p *exprParser) advance() *Error {
	if p.tok.kind != tokEnd {
		p.shown = append(p.shown, p.tok.text)
	}
	t, err := p.lexer.next()
	p.tok = t
	return err
}

// wrong says what was expected instead of the next token.
func (p *exprParser) wrong(format string, args ...any) *Error {
	return errorAt(p.source, p.tok.from, p.tok.to, "expected "+format, args...)
}

// spaced joins the words with single spaces, none inside of parentheses and before commas.
func spaced(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && w != ")" && w != "]" && w != "," {
			prev := words[i-1]
			if call := w == "(" && functions[prev]; prev != "(" && prev != "[" && prev != "," && !call {
				b.WriteByte(' ')
			}
		}
		b.WriteString(w)
	}
	return b.String()
}

// is reports whether the next token is this keyword or sign.
func (p *exprParser) is(text string) bool {
	return (p.tok.kind == tokWord || p.tok.kind == tokSign) && p.tok.text == text
}

func (p *exprParser) or() (node, *Error) {
	left, err := p.and()
	for err == nil && p.is("or") {
		if err = p.advance(); err != nil {
			return nil, err
		}
		var right node
		right, err = p.and()
		left = &orNode{left, right}
	}
	return left, err
}

func (p *exprParser) and() (node, *Error) {
	left, err := p.not()
	for err == nil && p.is("and") {
		if err = p.advance(); err != nil {
			return nil, err
		}
		var right node
		right, err = p.not()
		left = &andNode{left, right}
	}
	return left, err
}

func (p *exprParser) not() (node, *Error) {
	if !p.is("not") {
		return p.comparison()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if err := p.advance(); err != nil {
		return nil, err
	}
	inner, err := p.not()
	return &notNode{inner}, err
}

// deeper bounds nesting, so that no input can exhaust the stack.
func (p *exprParser) deeper() *Error {
	if p.depth++; p.depth > 100 {
		return p.wrong("less nesting: at most 100 levels")
	}
	return nil
}

func (p *exprParser) comparison() (node, *Error) {
	at := p.tok
	left, err := p.operand(false)
	if err != nil {
		return nil, err
	}
	text, bare := left.(*literal)
	bare = bare && text.bare
	if p.tok.kind == tokEnd || !slices.Contains(operators, p.tok.text) || p.tok.kind == tokString {
		if bare {
			return nil, p.noPath(at)
		}
		return left, nil
	}
	op := p.tok.text
	if bare && op != "in" {
		return nil, p.noPath(at)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	step, ofStep := left.(*pathNode)
	right, err := p.operand(ofStep && step.from == fromStep)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokString && slices.Contains(operators, p.tok.text) {
		return nil, p.wrong("and, or, or the end; a comparison has two sides")
	}
	return &compareNode{op, left, right}, nil
}

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
