package script

import (
	"slices"
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

var roots = []string{"batch", "broker", "channel", "client", "clock", "config", "ctl", "ctx", "fix", "guard", "handler", "hold", "lane", "layers",
	"metric", "notices", "queue", "session", "timer", "view", "watch", "zk", "zxid"}

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
