package jsonvalue

// Fields are the values of a JSON object as they are spelt. ok is false when text is not one object.
func Fields(text string) (fields map[string]string, ok bool) {
	v, err := Parse(text)
	if _, isObject := v.(map[string]any); err != nil || !isObject {
		return nil, false
	}
	r := reader{text: text}
	r.space()
	fields = map[string]string{}
	for r.more('}') {
		name, _ := r.string() // it was read before, here and below
		r.space()
		r.takes(':')
		fields[name] = r.spelling()
	}
	return fields, true
}

// Items are the values of a JSON list as they are spelt. ok is false when text is not one list.
func Items(text string) (items []string, ok bool) {
	v, err := Parse(text)
	if _, isList := v.([]any); err != nil || !isList {
		return nil, false
	}
	r := reader{text: text}
	r.space()
	for r.more(']') {
		items = append(items, r.spelling())
	}
	return items, true
}

// more steps over the opening bracket or a comma, and reports whether an element follows before the closing one.
func (r *reader) more(closing byte) bool {
	r.space()
	if r.takes(closing) {
		return false
	}
	r.at++
	r.space()
	return !r.takes(closing)
}

// spelling steps over a value and returns its text.
func (r *reader) spelling() string {
	r.space()
	from := r.at
	_, _ = r.value(0)
	return r.text[from:r.at]
}
