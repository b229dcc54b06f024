package script

import "strings"

// Verb is one row of the table that parsing, errors, completion and documentation are made from.
type Verb struct {
	Words  string // "topic create"
	Slots  []Slot
	Dotted bool // the first argument is glued to the verb by a dot: guard.broker-epoch
	Repeat bool // all slots together may be given again: reassign a-0 [1] b-0 [2]
	About  string
}

// Slot is one argument of a verb, or several of one kind.
type Slot struct {
	Name     string // as Line.Arg looks it up, and as usage prints it
	Kinds    []Kind // what it may be; the first that reads it counts
	Lead     string // a word that stands before it: config
	Optional bool
	Many     bool // one or more
}

func one(name string, kinds ...Kind) Slot  { return Slot{Name: name, Kinds: kinds} }
func many(name string, kinds ...Kind) Slot { return Slot{Name: name, Kinds: kinds, Many: true} }
func maybe(s Slot) Slot                    { s.Optional = true; return s }
func lead(word string, s Slot) Slot        { s.Lead = word; return s }

// Slots that many verbs share.
var (
	broker     = one("N", Broker)
	partition  = one("T-P", Partition)
	path       = one("PATH", Path)
	data       = maybe(one("DATA", Raw))
	options    = many("K=V", KeyValue)
	assignment = many("PxR|[ids]", Shape, List)
	choice     = one("ID", Word)
	client     = one("NAME", Word)
	epoch      = maybe(one("Ei.n", Epoch))
	condition  = one("EXPR", Expression)
	atMost     = maybe(lead("until", one("EXPR", Expression)))
)

var verbs = []Verb{
	{Words: "cluster", Slots: []Slot{options},
		About: "The brokers that exist: brokers=0,1,2 or brokers=none, racks=..., servers=3 for a ZooKeeper of several servers, and server.properties of all of them."},

	{Words: "broker start", Slots: []Slot{broker}, About: "Starts the process of broker N and waits until it is started or exits."},
	{Words: "broker stop", Slots: []Slot{broker}, About: "Stops it as SIGTERM does: controlled shutdown, then it closes its session."},
	{Words: "broker kill", Slots: []Slot{broker}, About: "Ends the process and, at once, its ZooKeeper session."},
	{Words: "broker crash", Slots: []Slot{broker}, About: "Ends the process; its session lives on until it expires."},
	{Words: "broker bounce", Slots: []Slot{broker}, About: "Kills and starts it while the controller's process is stopped, so that the controller sees neither."},
	{Words: "broker pause", Slots: []Slot{broker}, About: "Stops the process as SIGSTOP does (a long GC pause)."},
	{Words: "broker resume", Slots: []Slot{broker}, About: "Lets a paused process go on."},
	{Words: "broker config", Slots: []Slot{broker, options}, About: "Sets server.properties for the next start of N."},
	{Words: "broker set-listener", Slots: []Slot{broker, one("HOST:PORT", HostPort)}, About: "Changes the endpoint that N registers."},
	{Words: "start", Slots: []Slot{broker}, About: "As recordings write it: broker start."},

	{Words: "topic create", Slots: []Slot{one("T", Word), assignment, maybe(lead("config", options))},
		About: "CreateTopics with PxR (replica j of partition p is the (p+j)th broker) or one list of replicas per partition."},
	{Words: "topic delete", Slots: []Slot{many("T", Word)}, About: "DeleteTopics."},
	{Words: "topic add-partitions", Slots: []Slot{one("T", Word), many("[ids]", List)}, About: "CreatePartitions with the replicas of each new partition."},
	{Words: "kafka-reassign-partitions", Slots: []Slot{one("OPTIONS", Raw)},
		About: "Kafka's tool with its own options, over --bootstrap-server X or --zookeeper X; a file is given as its text, in 'quotes'."},
	{Words: "reassign cancel", Slots: []Slot{many("T-P", Partition)}, About: "Cancels reassignments."},
	{Words: "reassign", Slots: []Slot{partition, one("[ids]", List)}, Repeat: true, About: "AlterPartitionReassignments to the given replicas."},
	{Words: "elect preferred", Slots: []Slot{many("T-P|*", All, Partition)}, About: "ElectLeaders, the preferred replica."},
	{Words: "elect unclean", Slots: []Slot{many("T-P|*", All, Partition)}, About: "ElectLeaders, also a replica that is not in the ISR."},
	{Words: "config set", Slots: []Slot{one("TYPE/NAME", Entity), options},
		About: "Sets dynamic configs of topics, brokers, users, clients, ips; the name <default> stands for all."},
	{Words: "config delete", Slots: []Slot{one("TYPE/NAME", Entity), many("K", Key)}, About: "Deletes dynamic configs."},
	{Words: "notice write", Slots: []Slot{one("JSON", Raw)}, About: "Writes a config-change notification as it stands."},
	{Words: "produce", Slots: []Slot{partition, maybe(one("COUNT", Int))}, About: "Sends small records to the leader, acks=1."},
	{Words: "lag", Slots: []Slot{broker, partition}, About: "Lets replica N fall behind the leader."},
	{Words: "catch-up", Slots: []Slot{broker, partition}, About: "Lets replica N catch up with the leader."},
	{Words: "alterisr", Slots: []Slot{one("TO", Broker), one("FROM", Broker), partition, one("LEADER-EPOCH", Int),
		one("ZK-VERSION", Int), one("[isr]", List), epoch}, About: "Sends AlterIsr to broker TO in the name of FROM."},
	{Words: "request shutdown", Slots: []Slot{broker, epoch}, About: "Sends ControlledShutdown in the name of N; its process goes on."},
	{Words: "logdir block", Slots: []Slot{broker, one("DIR", Int), one("NAME", Word)}, About: "Makes log directory DIR of N unable to hold the log NAME."},
	{Words: "logdir unblock", Slots: []Slot{broker, one("DIR", Int), one("NAME", Word)}, About: "Takes that away again."},
	{Words: "logdir fail", Slots: []Slot{broker, maybe(one("DIR", Int))}, About: "Fails a log directory of N."},

	{Words: "zk get", Slots: []Slot{path}, About: "The operator reads a znode."},
	{Words: "zk set", Slots: []Slot{path, data}, About: "The operator writes a znode."},
	{Words: "zk create", Slots: []Slot{path, data}, About: "The operator creates a persistent znode."},
	{Words: "zk create-seq", Slots: []Slot{path, data}, About: "The operator creates a persistent sequential znode."},
	{Words: "zk create-container", Slots: []Slot{path, data}, About: "The operator creates a container: ZooKeeper removes it within a minute of its last child."},
	{Words: "zk delete", Slots: []Slot{path}, About: "The operator deletes a znode."},
	{Words: "zk expire", Slots: []Slot{broker}, About: "Ends the session of N; its process stays and gets a new one."},
	{Words: "zk cut", Slots: []Slot{broker}, About: "Cuts the connection of N to ZooKeeper; its session lives until it expires."},
	{Words: "zk heal", Slots: []Slot{broker}, About: "Lets N connect to ZooKeeper again."},
	{Words: "zk sync", Slots: []Slot{path}, About: "The operator's server catches up with the leader (servers=3)."},
	{Words: "zk lag", Slots: []Slot{one("SERVER", Int)}, About: "A follower of ZooKeeper's ensemble falls behind (servers=3): its clients read old data."},
	{Words: "zk catch-up", Slots: []Slot{one("SERVER", Int)}, About: "Lets that follower catch up."},
	{Words: "zk move", Slots: []Slot{one("CLIENT", Word), one("SERVER", Int)}, About: "The client of broker CLIENT, or admin, connects to another server of the ensemble; 0 is the leader."},
	{Words: "zk lose-quorum", About: "The majority of ZooKeeper's servers is gone: nobody is answered, no session expires."},
	{Words: "zk regain-quorum", About: "The majority is back."},
	{Words: "zk lose-reply", Slots: []Slot{broker, path}, About: "The next write of PATH by N is applied, its reply is lost and the connection cut."},

	{Words: "client open", Slots: []Slot{client}, About: "Starts a plain client of ZooKeeper, named by a word with a letter first, with a session timeout of 18 s."},
	{Words: "client register", Slots: []Slot{client, one("children|node", Word), path},
		About: "It registers a handler for a znode's children or for the znode. The server knows nothing of it: the next read arms the watch."},
	{Words: "client get", Slots: []Slot{client, path}, About: "It reads a znode; with a handler for it this arms the watch."},
	{Words: "client exists", Slots: []Slot{client, path}, About: "It asks whether a znode exists; with a handler for it this arms the watch, also where nothing is."},
	{Words: "client children", Slots: []Slot{client, path}, About: "It lists a znode's children; with a handler for them this arms the watch."},
	{Words: "client create", Slots: []Slot{client, path, data}, About: "It creates a persistent znode."},
	{Words: "client create-ephemeral", Slots: []Slot{client, path, data}, About: "It creates a znode that goes when its session ends."},
	{Words: "client create-seq", Slots: []Slot{client, path, data}, About: "It creates a persistent sequential znode."},
	{Words: "client set", Slots: []Slot{client, path, data}, About: "It writes a znode, whatever its version."},
	{Words: "client delete", Slots: []Slot{client, path}, About: "It deletes a znode, whatever its version."},
	{Words: "client silent", Slots: []Slot{client}, About: "It sends no heartbeat any more: its session lives until it expires."},
	{Words: "client back", Slots: []Slot{client}, About: "It goes on after a silence."},
	{Words: "client close", Slots: []Slot{client}, About: "It closes its session and ends."},

	{Words: "hold", Slots: []Slot{one("N[.THREAD]", Word)}, About: "Holds a process, one of its threads, or a choice."},
	{Words: "release", Slots: []Slot{one("N[.THREAD]", Word)}, About: "Lets go what was held."},
	{Words: "deliver", Slots: []Slot{choice}, About: "Takes this pending choice next."},
	{Words: "drop", Slots: []Slot{choice}, About: "Drops a pending control request or answer."},
	{Words: "delay", Slots: []Slot{choice, one("TIME", Duration)}, About: "Lets a pending choice come later."},
	{Words: "duplicate", Slots: []Slot{choice}, About: "Delivers a pending control request twice."},
	{Words: "clock", Slots: []Slot{one("TIME", Duration), atMost}, About: "Moves virtual time on; with until no further than a step after which the expression holds."},
	{Words: "skew", Slots: []Slot{broker, one("TIME", Duration)}, About: "Sets the clock of N apart from virtual time."},
	{Words: "wait", Slots: []Slot{one("TIME", Duration), atMost}, About: "As clock."},
	{Words: "until idle", About: "Goes on until nothing is pending but periodic timers."},
	{Words: "until", Slots: []Slot{condition}, About: "Goes on until the expression holds after a step."},
	{Words: "run", About: "Goes on until nothing is pending but periodic timers."},
	{Words: "expect", Slots: []Slot{condition}, About: "Fails unless the expression holds now."},
	{Words: "never", Slots: []Slot{condition}, About: "Fails as soon as the expression holds after any later step."},
	{Words: "guard", Dotted: true, Slots: []Slot{one("NAME", Word), one("on|off", Switch)}, About: "Removes a protection that 2.8.2 has, or puts it back."},
	{Words: "order", Slots: []Slot{one("sorted|scala", Word)},
		About: "How brokers that start from now on go through hash maps and sets: sorted, or in the order of Scala's collections."},
	{Words: "fix", Dotted: true, Slots: []Slot{one("NAME", Word), one("on|off", Switch)}, About: "Adds a protection that came after 2.8.2, or takes it away."},
}

// Verbs returns the table. It must not be changed.
func Verbs() []Verb { return verbs }

// Usage prints how the verb is written: topic create T PxR|[ids]... [config K=V...].
func (v *Verb) Usage() string {
	out := v.Words
	for i, s := range v.Slots {
		text := s.Name
		if s.Many {
			text += "..."
		}
		if s.Lead != "" {
			text = s.Lead + " " + text
		}
		if s.Optional {
			text = "[" + text + "]"
		}
		if i == 0 && v.Dotted {
			out += "." + text
		} else {
			out += " " + text
		}
	}
	if v.Repeat {
		out += " ..."
	}
	return out
}

// Help lists every verb: its usage and what it does.
func Help() string {
	var b strings.Builder
	for i := range verbs {
		b.WriteString(verbs[i].Usage() + "\n    " + verbs[i].About + "\n")
	}
	return b.String()
}
