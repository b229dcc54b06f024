package broker

import (
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// FailLogDir takes a log directory offline: every replica in it answers KAFKA_STORAGE_ERROR from now on, and the
// controller is told. A broker without any live directory ends at once. It works on a thread of its own, after the
// request that met the failure. Kafka: LogDirFailureHandler, ReplicaManager.handleLogDirFailure, LogManager.handleLogDirFailure.
func (b *Broker) FailLogDir(dir int) {
	if b.failing[dir] || b.disk.Dirs[dir].Offline {
		return
	}
	b.failing[dir] = true
	b.e.Go("log-dir-failure-"+strconv.Itoa(dir), func() {
		b.lock()
		delete(b.failing, dir)
		b.disk.Dirs[dir].Offline = true
		for _, tp := range b.HostedPartitions() {
			p := b.partitions[tp]
			if p.log != nil && p.log.Dir == dir {
				b.markOffline(p)
				b.wakeFollowers(p)
			}
		}
		b.unlock()
		b.flushSessions()
		b.sendFetches()
		if b.on() {
			b.note(env.BrokerState, "broker "+b.id, "broker.logDir.failed", env.A("dir", env.Int(dir)))
		}
		if !b.disk.anyOnline() {
			b.cfg.Halt("all log directories have failed")
			return
		}
		// The thread would try for ever; an error here means that the process is ending.
		_ = b.cfg.LogDirFailed()
	})
}

// createLog makes the log of a partition in the emptiest live directory that takes it; a directory that does not has
// failed. Only where one does is the topic's config read. The log is nil when none takes it.
// Kafka: LogManager.getOrCreateLog.
func (b *Broker) createLog(tp kafka.TopicPartition) (*Log, error) {
	dir, failed := b.disk.choose(tp)
	for _, dir := range failed {
		b.FailLogDir(dir)
	}
	if dir < 0 {
		return nil, nil
	}
	if err := b.cfg.TopicConfig(tp.Topic); err != nil {
		return nil, err
	}
	return b.disk.create(tp, dir), nil
}
