package kafkaplay

import (
	"regexp"
	"strings"

	"controllerscope/core/zk"
)

// form is how brokers write the data of one kind of znode: no white space, keys in this order (FORMAT.md, Raw bytes).
type form struct{ path, data *regexp.Regexp }

// forms are those of the table. In a pattern, ~S stands for a JSON string, ~B for a list of broker ids, ~M for an object of
// strings, ~R for one of lists of broker ids.
var forms = func() []form {
	words := strings.NewReplacer("~S", `"(?:[^"\\]|\\.)*"`, "~B", `\[(?:\d+(?:,\d+)*)?\]`,
		"~M", `\{(?:"[^"]*":"[^"]*"(?:,"[^"]*":"[^"]*")*)?\}`, "~R", `\{(?:"\d+":\[[\d,]*\](?:,"\d+":\[[\d,]*\])*)?\}`)
	out := []form{}
	for _, f := range [][2]string{
		{`/admin/reassign_partitions`, `\{"version":1,"partitions":\[(?:\{"topic":~S,"partition":\d+,"replicas":~B\},?)*\]\}`},
		{`/brokers/ids/\d+`, `\{(?:"features":\{\},)?"listener_security_protocol_map":~M,"endpoints":\[~S(?:,~S)*\],(?:"rack":~S,)?` +
			`"jmx_port":-1,(?:"features":\{\},)?"port":\d+,"host":~S,"version":[45],"timestamp":"\d+"\}`},
		{`/brokers/topics/[^/]+`, `\{"partitions":~R,(?:"topic_id":~S,)?"adding_replicas":~R,"removing_replicas":~R,"version":3\}`},
		{`/brokers/topics/[^/]+/partitions/\d+/state`, `\{"controller_epoch":\d+,"leader":-?\d+,"version":1,"leader_epoch":\d+,"isr":~B\}`},
		{`/cluster/id`, `\{"version":"1","id":~S\}`},
		{`/config/changes/config_change_\d+`, `\{"version":2,"entity_path":~S\}`},
		{`/config/(?:brokers|clients|ips|topics|users)/.+`, `\{"version":1,"config":~M\}`},
		{`/controller`, `\{"version":1,"brokerid":\d+,"timestamp":"\d+"\}`},
		{`/controller_epoch`, `\d+`},
		{`/feature`, `\{"features":\{\},"version":1,"status":[01]\}`},
		{`/isr_change_notification/isr_change_\d+`, `\{"version":1,"partitions":\[(?:\{"topic":~S,"partition":\d+\},?)*\]\}`},
		{`/latest_producer_id_block`, `\{"version":1,"broker":\d+,"block_start":"\d+","block_end":"\d+"\}`},
		{`/log_dir_event_notification/log_dir_event_\d+`, `\{"version":1,"broker":\d+,"event":1\}`},
	} {
		out = append(out, form{regexp.MustCompile(`^` + f[0] + `$`), regexp.MustCompile(`^` + words.Replace(f[1]) + `$`)})
	}
	return out
}()

// raw compares the bytes of a znode that a broker wrote with the form of its kind.
func (c *comparison) raw(path string, data []byte) {
	if len(data) == 0 || c.listener.writers[path] == "operator" {
		return
	}
	for _, f := range forms {
		if f.path.MatchString(path) && !f.data.Match(data) {
			c.differ("znodes.raw "+path, f.data.String(), string(data))
		}
	}
}

// wrote remembers who wrote the znodes of a successful request last.
func (l *listener) wrote(who string, op zk.Op, r zk.Result) {
	if op.Kind == zk.Multi {
		for i, sub := range op.Ops {
			l.wrote(who, sub, r.Results[i])
		}
		return
	}
	path := op.Path
	if op.Kind == zk.Create && r.Path != "" {
		path = r.Path
	}
	if op.Kind.IsWrite() {
		l.writers[path] = who
	}
}
