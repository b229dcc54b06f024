package zkcases

// opSpec says what a step's operation takes and gives.
type opSpec struct {
	args   []string // allowed arguments
	needs  []string // those of them that must be there
	fields []string // fields of its result
	call   bool     // a call of the client, which may be async
	writes bool     // changes nodes
}

var createArgs = []string{"path", "data", "flags", "acl", "no_acl"}

// ops are the operations of the format.
var ops = map[string]opSpec{
	"open":  {args: []string{"timeout_ms"}, fields: []string{"events"}},
	"close": {fields: []string{"events"}},

	"create":           {args: createArgs, fields: []string{"error", "path"}, call: true, writes: true},
	"create_container": {args: createArgs, fields: []string{"error", "path"}, call: true, writes: true},
	"create_ttl":       {args: append([]string{"ttl_ms"}, createArgs...), fields: []string{"error", "path"}, call: true, writes: true},
	"delete":           {args: []string{"path", "version"}, fields: []string{"error"}, call: true, writes: true},
	"set":              {args: []string{"path", "data", "version"}, fields: []string{"error", "stat"}, call: true, writes: true},
	"get":              {args: []string{"path"}, fields: []string{"error", "data", "stat"}, call: true},
	"get_w":            {args: []string{"path", "watch"}, fields: []string{"error", "data", "stat"}, call: true},
	"exists":           {args: []string{"path"}, fields: []string{"error", "exists", "stat"}, call: true},
	"exists_w":         {args: []string{"path", "watch"}, fields: []string{"error", "exists", "stat"}, call: true},
	"children":         {args: []string{"path"}, fields: []string{"error", "children", "count", "stat"}, call: true},
	"children_w":       {args: []string{"path", "watch"}, fields: []string{"error", "children", "count", "stat"}, call: true},
	"get_acl":          {args: []string{"path"}, fields: []string{"error", "acl", "stat"}, call: true},
	"set_acl":          {args: []string{"path", "acl", "no_acl", "version"}, fields: []string{"error", "stat"}, call: true, writes: true},
	"add_auth":         {args: []string{"scheme", "auth"}, needs: []string{"scheme"}, fields: []string{"error"}, call: true},
	"sync":             {args: []string{"path"}, fields: []string{"error", "path"}, call: true},
	"multi":            {args: []string{"ops"}, needs: []string{"ops"}, fields: []string{"error", "results"}, call: true, writes: true},
	"fill":             {args: []string{"path", "count"}, needs: []string{"path", "count"}, fields: []string{"error"}, call: true, writes: true},

	"state":      {fields: []string{"state"}},
	"events":     {args: []string{"no_barrier"}, fields: []string{"events"}},
	"watch":      {args: []string{"watch", "no_barrier"}, needs: []string{"watch"}, fields: []string{"event", "closed"}},
	"cut":        {},
	"stall":      {},
	"heal":       {},
	"await":      {args: []string{"handle"}, needs: []string{"handle"}},
	"await_gone": {args: []string{"path"}, needs: []string{"path"}},
}

// multiArgs are the arguments of each operation inside a multi.
var multiArgs = map[string][]string{
	"create": {"op", "path", "data", "flags", "acl", "no_acl"},
	"set":    {"op", "path", "data", "version"},
	"delete": {"op", "path", "version"},
	"check":  {"op", "path", "version"},
}

// statFields are the fields of a Stat in an expectation.
var statFields = []string{"aversion", "cversion", "czxid", "dataLength", "ephemeralOwner", "mzxid", "numChildren", "pzxid", "version"}
