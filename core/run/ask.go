package run

import (
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/script"
	"controllerscope/core/sim"
	"controllerscope/core/zkdata"
)

// Asking is what a line of a script asks a broker for: the controller when To is kafka.NoBroker.
type Asking struct {
	Request request.Request
	To      kafka.BrokerID
	Entity  string // what it is about, for the trace
}

// askings say what the lines of administrators' tools ask for, by verb.
var askings = map[string]func(*sim.World, *script.Line) (Asking, error){
	"topic create":         askCreateTopic,
	"topic delete":         askDeleteTopics,
	"topic add-partitions": askAddPartitions,
	"reassign":             askReassign,
	"reassign cancel":      askCancel,
	"elect preferred":      askElect,
	"elect unclean":        askElect,
	"config set":           askConfig,
	"config delete":        askConfig,
	"produce":              askProduce,
	"alterisr":             askAlterIsr,
	"request shutdown":     askShutdown,
	"broker set-listener":  askListener,
}

// Asked is what a line asks for; ok is false for a line that asks nobody. Who is asked and how many partitions a topic has
// is looked up in the world as it is now.
func Asked(w *sim.World, l *script.Line) (a Asking, ok bool, err error) {
	f := askings[l.Verb]
	if f == nil {
		return a, false, nil
	}
	a, err = f(w, l)
	return a, true, err
}

// ask sends what the line asks for; its answer comes as the world goes on.
func (r *Run) ask(l *script.Line) error {
	a, _, err := Asked(r.world, l)
	if err != nil {
		return err
	}
	if a.To == kafka.NoBroker {
		r.world.Ask(a.Request, a.Entity)
	} else {
		r.world.AskBroker(a.To, a.Request, a.Entity)
	}
	return nil
}

func toController(r request.Request, entity string) (Asking, error) {
	return Asking{r, kafka.NoBroker, entity}, nil
}

func partitionOf(a script.Arg) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: a.Topic, Partition: int32(a.Int)}
}

func brokersOf(a script.Arg) []kafka.BrokerID {
	out := make([]kafka.BrokerID, len(a.Ints))
	for i, id := range a.Ints {
		out[i] = kafka.BrokerID(id)
	}
	return out
}

func textsOf(args []script.Arg) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a.Text
	}
	return strings.Join(words, " ")
}

// askCreateTopic: an explicit assignment, or PxR over the cluster's brokers.
func askCreateTopic(w *sim.World, l *script.Line) (Asking, error) {
	topic := request.NewTopic{Name: l.Text("T")}
	for _, a := range l.All("PxR|[ids]") {
		if a.Kind == script.Shape {
			topic.Assignment = append(topic.Assignment, w.Spread(int(a.Ints[0]), int(a.Ints[1]))...)
		} else {
			topic.Assignment = append(topic.Assignment, brokersOf(a))
		}
	}
	for _, o := range l.Options {
		topic.Config = append(topic.Config, request.ConfigEntry{Key: o.Key, Value: o.Value})
	}
	return toController(request.CreateTopics{Topics: []request.NewTopic{topic}}, topic.Name)
}

func askDeleteTopics(_ *sim.World, l *script.Line) (Asking, error) {
	var r request.DeleteTopics
	for _, a := range l.All("T") {
		r.Topics = append(r.Topics, a.Text)
	}
	return toController(r, textsOf(l.All("T")))
}

func askAddPartitions(w *sim.World, l *script.Line) (Asking, error) {
	t := request.NewPartitions{Name: l.Text("T"), Count: int32(w.PartitionCount(l.Text("T")))}
	for _, a := range l.All("[ids]") {
		t.Assignment = append(t.Assignment, brokersOf(a))
		t.Count++
	}
	return toController(request.CreatePartitions{Topics: []request.NewPartitions{t}}, t.Name)
}

func askReassign(_ *sim.World, l *script.Line) (Asking, error) {
	var r request.AlterPartitionReassignments
	tps, lists := l.All("T-P"), l.All("[ids]")
	for i, a := range tps {
		r.Partitions = append(r.Partitions, request.PartitionReassignment{TopicPartition: partitionOf(a), Replicas: brokersOf(lists[i])})
	}
	return toController(r, textsOf(tps))
}

func askCancel(_ *sim.World, l *script.Line) (Asking, error) {
	var r request.AlterPartitionReassignments
	for _, a := range l.All("T-P") {
		r.Partitions = append(r.Partitions, request.PartitionReassignment{TopicPartition: partitionOf(a)})
	}
	return toController(r, textsOf(l.All("T-P")))
}

func askElect(_ *sim.World, l *script.Line) (Asking, error) {
	r := request.ElectLeaders{Unclean: l.Verb == "elect unclean"}
	args := l.All("T-P|*")
	for _, a := range args {
		if a.Kind == script.All && len(args) > 1 {
			return Asking{}, fmt.Errorf("* stands for all partitions; give it alone")
		}
		if a.Kind != script.All {
			r.Partitions = append(r.Partitions, partitionOf(a))
		}
	}
	return toController(r, textsOf(args))
}

// askConfig: topics and brokers by IncrementalAlterConfigs, a named broker at itself; users, clients and ips by
// AlterClientQuotas.
func askConfig(_ *sim.World, l *script.Line) (Asking, error) {
	entity, remove := l.Text("TYPE/NAME"), l.Verb == "config delete"
	entityType, name, _ := strings.Cut(entity, "/")
	type change struct{ key, value string }
	var changes []change
	for _, o := range l.Options {
		changes = append(changes, change{o.Key, o.Value})
	}
	for _, a := range l.All("K") {
		changes = append(changes, change{a.Text, ""})
	}
	if entityType != zkdata.ConfigTypeTopics && entityType != zkdata.ConfigTypeBrokers {
		x := request.AlterQuotas{Entity: quotaEntity(entity)}
		for _, c := range changes {
			op := request.QuotaOp{Key: c.key, Remove: remove}
			if !remove {
				value, err := strconv.ParseFloat(c.value, 64)
				if err != nil {
					return Asking{}, fmt.Errorf("the quota %s=%s is not a number", c.key, c.value)
				}
				op.Value = value
			}
			x.Ops = append(x.Ops, op)
		}
		return toController(request.AlterClientQuotas{Entries: []request.AlterQuotas{x}}, entity)
	}
	x := request.AlterConfigs{Type: entityType, Name: name}
	for _, c := range changes {
		x.Ops = append(x.Ops, request.ConfigOp{Key: c.key, Value: c.value, Delete: remove})
	}
	a := Asking{To: kafka.NoBroker, Entity: entity}
	if entityType == zkdata.ConfigTypeBrokers {
		if name == zkdata.DefaultEntity {
			x.Name = ""
		} else if id, err := strconv.ParseInt(name, 10, 32); err == nil {
			a.To = kafka.BrokerID(id)
		} else {
			return a, fmt.Errorf("%q is not a broker id; write brokers/1 or brokers/%s", name, zkdata.DefaultEntity)
		}
	}
	a.Request = request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{x}}
	return a, nil
}

// quotaEntity reads users/alice/clients/app-1.
func quotaEntity(path string) (out []request.QuotaEntity) {
	parts := strings.Split(path, "/")
	types := map[string]string{zkdata.ConfigTypeUsers: "user", zkdata.ConfigTypeClients: "client-id", zkdata.ConfigTypeIPs: "ip"}
	for i := 0; i+1 < len(parts); i += 2 {
		e := request.QuotaEntity{Type: types[parts[i]], Name: parts[i+1], Default: parts[i+1] == zkdata.DefaultEntity}
		if e.Type == "" {
			e.Type = parts[i]
		}
		if e.Default {
			e.Name = ""
		}
		out = append(out, e)
	}
	return out
}

func askProduce(w *sim.World, l *script.Line) (Asking, error) {
	a, _ := l.Arg("T-P")
	tp, records := partitionOf(a), int64(1)
	if n, given := l.Arg("COUNT"); given {
		records = n.Int
	}
	leader := w.Leader(tp)
	switch {
	case records < 1:
		return Asking{}, fmt.Errorf("%d records cannot be produced; give 1 or more", records)
	case leader == kafka.NoBroker:
		return Asking{}, fmt.Errorf("%s has no leader to produce to", tp)
	}
	return Asking{request.Produce{TopicPartition: tp, Records: records}, leader, tp.String()}, nil
}

// askAlterIsr sends AlterIsr to broker TO in the name of FROM.
func askAlterIsr(w *sim.World, l *script.Line) (Asking, error) {
	from := kafka.BrokerID(l.Int("FROM"))
	epoch, err := epochOf(w, l, from)
	if err != nil {
		return Asking{}, err
	}
	list, _ := l.Arg("[isr]")
	a, _ := l.Arg("T-P")
	return Asking{request.AlterIsr{BrokerID: from, BrokerEpoch: epoch, Partitions: []request.AlterIsrPartition{{TopicPartition: partitionOf(a),
		LeaderEpoch: int32(l.Int("LEADER-EPOCH")), ISR: brokersOf(list), ZkVersion: int32(l.Int("ZK-VERSION"))}}}, kafka.BrokerID(l.Int("TO")), a.Text}, nil
}

// askShutdown asks the controller to relieve broker N of its leaderships; its process goes on.
func askShutdown(w *sim.World, l *script.Line) (Asking, error) {
	id := brokerOf(l)
	epoch, err := epochOf(w, l, id)
	if err != nil {
		return Asking{}, err
	}
	return toController(request.ControlledShutdown{BrokerID: id, BrokerEpoch: epoch}, "broker "+id.String())
}

// epochOf is the broker epoch that a line names as E3.1, or the one of the broker's last registration.
func epochOf(w *sim.World, l *script.Line, id kafka.BrokerID) (int64, error) {
	if e, given := l.Arg("Ei.n"); given {
		return w.NthRegistration(kafka.BrokerID(e.Ints[0]), int(e.Ints[1]))
	}
	return w.RegistrationEpoch(id)
}

// askListener changes what broker N advertises, by its own dynamic configuration.
func askListener(_ *sim.World, l *script.Line) (Asking, error) {
	id := brokerOf(l)
	address, _ := l.Arg("HOST:PORT")
	return Asking{request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{{Type: zkdata.ConfigTypeBrokers, Name: id.String(),
		Ops: []request.ConfigOp{{Key: "advertised.listeners", Value: "PLAINTEXT://" + address.Text}}}}}, id, "brokers/" + id.String()}, nil
}
