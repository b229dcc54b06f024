package script

// ParsePath reads a path of the world document as it is now: zk[/controller].data, ctx[0].liveBrokerEpochs[2]. The error
// is an *Error.
func ParsePath(text string) ([]string, error) {
	e, err := ParseExpr(text)
	if err != nil {
		return nil, err
	}
	if p, ok := e.root.(*pathNode); ok && p.from == fromNow {
		return p.words, nil
	}
	return nil, errorAt(text, 0, len(text), "expected a path of the world document, such as ctx[0].epoch")
}
