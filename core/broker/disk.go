package broker

import (
	"slices"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
)

// Disk is what a broker keeps when its process ends: its logs in their log directories. The world (or the process's
// owner) makes it once and passes it to each process that runs with the same broker id.
type Disk struct {
	Logs map[kafka.TopicPartition]*Log
	Dirs []Dir
	// ClusterID is what meta.properties says since the broker's first registration, "" before it.
	ClusterID string
}

// Dir is one log directory; Offline means that it failed in the running process. Blocked are the names, such as
// orders-0, under which it cannot hold a log because a plain file lies there. Kafka: LogManager.liveLogDirs.
type Dir struct {
	Offline bool
	Blocked map[string]bool
	logs    int // how many logs it holds
}

// Log is the log of one replica as numbers: which offsets it holds and under which leader epochs they were written.
// Kafka: kafka.log.Log with its LeaderEpochFileCache and its high watermark checkpoint.
type Log struct {
	TopicID       kafka.UUID // zero until a LeaderAndIsr finds the log there and names one
	EndOffset     int64      // offset of the next record
	HighWatermark int64
	Epochs        []EpochStart // ascending in both fields
	Dir           int          // index in Disk.Dirs
}

// EpochStart says at which offset the records of a leader epoch begin.
type EpochStart struct {
	Epoch  int32
	Offset int64
}

// NewDisk makes an empty disk with the given number of log directories, at least one.
func NewDisk(dirs int) *Disk {
	return &Disk{Logs: map[kafka.TopicPartition]*Log{}, Dirs: make([]Dir, max(1, dirs))}
}

// Restart brings failed directories back, as a new process that finds them readable would.
func (d *Disk) Restart() {
	for i := range d.Dirs {
		d.Dirs[i].Offline = false
	}
}

// online is the log of tp unless its directory is offline.
func (d *Disk) online(tp kafka.TopicPartition) *Log {
	if l := d.Logs[tp]; l != nil && !d.Dirs[l.Dir].Offline {
		return l
	}
	return nil
}

// anyOffline reports whether a log directory has failed.
func (d *Disk) anyOffline() bool {
	return slices.ContainsFunc(d.Dirs, func(dir Dir) bool { return dir.Offline })
}

// anyOnline reports whether a log directory is left.
func (d *Disk) anyOnline() bool {
	return slices.ContainsFunc(d.Dirs, func(dir Dir) bool { return !dir.Offline })
}

// choose is the live directory with the fewest logs that takes a log of tp, the first of equals, -1 when none does. A
// directory that does not is named in failed, and the next one is tried. Kafka: LogManager.nextLogDirs, createLogDirectory.
func (d *Disk) choose(tp kafka.TopicPartition) (dir int, failed []int) {
	for {
		best := -1
		for i, dir := range d.Dirs {
			if !dir.Offline && !slices.Contains(failed, i) && (best < 0 || dir.logs < d.Dirs[best].logs) {
				best = i
			}
		}
		if best < 0 || !d.Dirs[best].Blocked[tp.String()] {
			return best, failed
		}
		failed = append(failed, best)
	}
}

// create makes an empty log in a directory.
func (d *Disk) create(tp kafka.TopicPartition, dir int) *Log {
	l := &Log{Dir: dir}
	d.Logs[tp] = l
	d.Dirs[dir].logs++
	return l
}

// Block lays a plain file where directory dir would get the log with that name, or takes it away. Logs that are there
// already do not notice.
func (d *Disk) Block(dir int, name string, on bool) {
	if d.Dirs[dir].Blocked == nil {
		d.Dirs[dir].Blocked = map[string]bool{}
	}
	if on {
		d.Dirs[dir].Blocked[name] = true
	} else {
		delete(d.Dirs[dir].Blocked, name)
	}
}

// remove deletes the log of tp. Kafka: LogManager.asyncDelete.
func (d *Disk) remove(tp kafka.TopicPartition) {
	if l := d.Logs[tp]; l != nil {
		d.Dirs[l.Dir].logs--
		delete(d.Logs, tp)
	}
}

// Dump adds the logs of broker b.
func (d *Disk) Dump(b kafka.BrokerID, out env.Dump) {
	for tp, l := range d.Logs {
		out.Set(l.EndOffset, "broker", b.String(), "log", tp.String())
	}
}

// assign records that records of a leader epoch begin at the end of the log. Kafka: Log.maybeAssignEpochStartOffset.
func (l *Log) assign(epoch int32) {
	for n := len(l.Epochs); n > 0 && (l.Epochs[n-1].Offset >= l.EndOffset || l.Epochs[n-1].Epoch > epoch); n-- {
		l.Epochs = l.Epochs[:n-1]
	}
	if n := len(l.Epochs); n == 0 || l.Epochs[n-1].Epoch < epoch {
		l.Epochs = append(l.Epochs, EpochStart{epoch, l.EndOffset})
	}
}

// lastEpoch is the leader epoch of the last record, kafka.NoEpoch in an empty log.
func (l *Log) lastEpoch() int32 {
	for i := len(l.Epochs) - 1; i >= 0; i-- {
		if l.Epochs[i].Offset < l.EndOffset {
			return l.Epochs[i].Epoch
		}
	}
	return kafka.NoEpoch
}

// endOffsetFor returns the largest epoch at or below epoch that the log knows, and the offset at which it ends.
// Kafka: LeaderEpochFileCache.endOffsetFor.
func (l *Log) endOffsetFor(epoch int32) EpochStart {
	end := l.EndOffset
	for i := len(l.Epochs) - 1; i >= 0; i-- {
		if l.Epochs[i].Epoch <= epoch {
			return EpochStart{l.Epochs[i].Epoch, end}
		}
		end = l.Epochs[i].Offset
	}
	return EpochStart{kafka.NoEpoch, 0}
}

// truncate drops the records from offset on. Kafka: Log.truncateTo.
func (l *Log) truncate(offset int64) {
	l.EndOffset = min(l.EndOffset, offset)
	l.HighWatermark = min(l.HighWatermark, l.EndOffset)
	l.Epochs = slices.DeleteFunc(l.Epochs, func(e EpochStart) bool { return e.Offset >= l.EndOffset })
}

// follow appends what a leader's log holds beyond the end of this one, with the leader's epochs. Kafka: Log.appendAsFollower.
func (l *Log) follow(end int64, epochs []EpochStart) {
	for _, e := range epochs {
		if e.Offset >= l.EndOffset && e.Offset < end && l.lastKnown() < e.Epoch {
			l.Epochs = append(l.Epochs, e)
		}
	}
	l.EndOffset = max(l.EndOffset, end)
}

func (l *Log) lastKnown() int32 {
	if n := len(l.Epochs); n > 0 {
		return l.Epochs[n-1].Epoch
	}
	return kafka.NoEpoch
}
