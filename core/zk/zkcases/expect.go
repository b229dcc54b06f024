package zkcases

// expect reads what a step's result must have, so that an expectation that no result could ever meet is an error of the
// file and not a failure of the server.
func (r *reader) expect(v any, spec opSpec, op string) map[string]any {
	fields := spec.fields
	if op == "await" { // the fields of whatever call it awaits
		fields = []string{"error", "path", "data", "stat", "exists", "children", "count", "acl", "results"}
	}
	o := r.object(v, "\"expect\"", fields)
	for _, field := range sortedFields(o) {
		r.at("expected \""+field+"\"", func() { r.expected(field, o[field]) })
	}
	return o
}

// expected checks the form of one field.
func (r *reader) expected(field string, v any) {
	ok := true
	switch field {
	case "error":
		ok = v == nil || isString(v)
	case "path", "state":
		ok = isString(v)
	case "exists", "closed":
		_, ok = v.(bool)
	case "count":
		_, ok = v.(int64)
	case "data":
		m, isMap := v.(map[string]any)
		_, hasLen := m["len"].(int64)
		ok = v == nil || isString(v) || isMap && hasLen && len(m) == 1
	case "stat":
		r.stat(v)
	case "children":
		ok = every(v, isString)
	case "acl":
		ok = every(v, func(e any) bool { return r.object(e, "an entry", []string{"perms", "scheme", "id"}) != nil })
	case "events":
		ok = every(v, r.event)
	case "event":
		ok = v == nil || r.event(v)
	case "results":
		ok = every(v, r.multiResult)
	}
	if !ok {
		r.fail("%s cannot be the value of this field", Text(v))
	}
}

func isString(v any) bool { _, ok := v.(string); return ok }

// every reports whether v is a list whose members all pass.
func every(v any, member func(any) bool) bool {
	a, ok := v.([]any)
	for _, e := range a {
		ok = ok && member(e)
	}
	return ok
}

// event checks an expected event.
func (r *reader) event(v any) bool {
	o := r.object(v, "an event", []string{"type", "state", "path", "err"})
	return isString(o["type"]) && isString(o["state"])
}

// multiResult checks an expected result of an operation of a multi.
func (r *reader) multiResult(v any) bool {
	o := r.object(v, "a result", []string{"error", "path", "stat"})
	if s, has := o["stat"]; has {
		r.stat(s)
	}
	return o != nil
}

// stat checks an expected Stat: null, "zero", or all its fields.
func (r *reader) stat(v any) {
	if v == nil || v == "zero" {
		return
	}
	o := r.object(v, "a Stat", statFields)
	for _, f := range statFields {
		if _, has := o[f]; !has {
			r.fail("a Stat without %q; it has all of %s", f, list(statFields))
		}
	}
}
