package controller

import (
	"controllerscope/core/election"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// strategy says how leaders are elected. Kafka: PartitionLeaderElectionStrategy.
type strategy struct {
	kind         strategyKind
	allowUnclean bool // offlineElection: permitted by the caller, without asking any configuration
}

type strategyKind uint8

const (
	offlineElection strategyKind = iota
	reassignElection
	preferredReplicaElection
	controlledShutdownElection
)

func (k strategyKind) String() string {
	return [...]string{"OfflinePartitionLeaderElectionStrategy", "ReassignPartitionLeaderElectionStrategy",
		"PreferredReplicaPartitionLeaderElectionStrategy", "ControlledShutdownPartitionLeaderElectionStrategy"}[k]
}

func offlineStrategy(allowUnclean bool) *strategy { return &strategy{offlineElection, allowUnclean} }

// choose elects for one partition from the state that was read and the context, and notes the decision.
func (m *partitionStateMachine) choose(s *strategy, c candidate, unclean uncleanPermission) (election.Result, bool) {
	x := m.c.ctx
	online := func(b kafka.BrokerID) bool { return x.isReplicaOnline(b, c.tp) }
	a := x.assignment(c.tp)
	var r election.Result
	switch s.kind {
	case offlineElection:
		r = election.Offline(c.state, a.Replicas, online, unclean.allowed)
	case reassignElection:
		r = election.Reassign(c.state, a.Target(), online)
	case preferredReplicaElection:
		r = election.Preferred(c.state, a.Replicas, online)
	case controlledShutdownElection:
		r = election.ControlledShutdown(c.state, a.Replicas,
			func(b kafka.BrokerID) bool { return x.isReplicaOnlineOrShuttingDown(b, c.tp) }, x.shuttingDownBrokerIDs.has)
	}
	if !r.Elected {
		return r, false
	}
	key := "election.chosen"
	if r.Unclean {
		key = "election.unclean"
	}
	if m.c.j.on() {
		m.c.j.because(env.CtxSet, c.tp.String(), key, m.facts(c.tp), env.A("strategy", s.kind.String()),
			env.A("replicas", env.Ints(a.Replicas)), env.A("isrBefore", env.Ints(c.state.ISR)), env.A("leaderBefore", env.Int(c.state.Leader)),
			env.A("leader", env.Int(r.Next.Leader)), env.A("leaderEpoch", env.Int(r.Next.LeaderEpoch)),
			env.A("isr", env.Ints(r.Next.ISR)), env.A("recipients", env.Ints(r.Recipients)), env.A("permittedBy", unclean.source))
	}
	return r, true
}

// facts are what an election decides from: the stored state, the assignment, and which replicas are on live brokers.
func (m *partitionStateMachine) facts(tp kafka.TopicPartition) []env.Path {
	return append(m.c.ctx.factsOf(tp), env.P("zk", zkdata.TopicPartitionStatePath(tp), "data"))
}
