// Package script is the command language, and the one expression grammar that until, expect and never, lesson anchors,
// predictions and exercise checks share. It only parses and prints; what a verb does is decided by whoever runs it.
//
// # Lines
//
// One line is one operation: the words of a verb, then what that verb takes (Verbs lists both). Words are separated by
// spaces. A word that holds a space stands in quotes, single or double; the same quote inside it is written twice. A # at
// the start of a word starts a comment. Data of a znode is the rest of its line as it stands, unless it begins with a single
// quote.
//
//	topic create orders [1,2,0] [2,0,1] config retention.ms=1000   # a comment
//	until broker[2].replica[orders-1].role = leader
//
// Printing a parsed script gives the same text, with one space between words and none inside lists.
//
// # Expressions
//
//	ctx[0].epoch = 2 and not zk[/controller]
//	step.kind in [zk.create, zk.set] and step.args.path contains /brokers/ids
//	before.zk[/controller].data.brokerid != zk[/controller].data.brokerid
//	count(ctx[0].liveBrokerEpochs) >= 3
//
// A path starts with a station of the world document (Roots), with step, or with before or after. Words follow with a dot
// or, whatever they consist of, in brackets, where ] and \ are escaped by \. Words that lead further than a value lead
// into it: into a record by field, a list by index, a string that is JSON text by both. before is the document before the
// step, after and nothing the one after it.
//
// Comparisons are = != < <= > >=, in and contains; they bind stronger than not, that stronger than and, that stronger than
// or. Numbers, strings of digits and tagged numbers (zxid:0x7a) compare by number. A in B and B contains A: B is a list
// that has A, a record or subtree with a word A, or a text with A in it. Absent (none), false, 0 and "" count as false;
// everything else, also a subtree, as true. Functions: count(path), the number of words, fields or members below a path,
// and exists(path).
//
// A bare word that starts with none of the roots is text (orders-0, controller.bounced, /controller). So is, to the right
// of a step field and in lists, a bare word without brackets that starts with a station: step.kind = zk.create.
package script
