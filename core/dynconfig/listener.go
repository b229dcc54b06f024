package dynconfig

import (
	"fmt"
	"slices"
	"strconv"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
)

// expirationMS is the age at which a notification is purged. Kafka: DynamicConfigManager passes no other on.
const expirationMS = 15 * 60 * 1000

// listener watches a directory of numbered notifications. Each broker keeps in memory the number of the last one that it
// carried out, and after each pass purges those that are older than 15 minutes by its own clock.
// Kafka: ZkNodeChangeNotificationListener.
type listener struct {
	e          env.Env
	zk         *zkclient.Client
	broker     string // whose listener this is, as documents name it
	root       string
	prefix     string // of the children's names; their number begins after as many characters
	thread     string
	process    func(data []byte) error
	last       int64 // lastExecutedChange
	token      bool  // the work item: a pass is asked for; one taken by the thread does not count
	listed     int64 // names that all passes so far have listed: each is looked at once more by the purge
	passing    bool  // a pass has read the clock and is not over
	now        int64 // what the clock said then
	open       bool  // init has been called, close has not
	closed     bool
	terminated bool
}

// init registers for changes, asks for the first pass, which arms the watch, and starts the thread.
func (l *listener) init() {
	l.last = -1
	l.zk.RegisterStateChangeHandler(zkclient.StateChangeHandler{Name: "change-notification-" + l.root, AfterInitializingSession: l.enqueue})
	l.zk.RegisterZNodeChildChangeHandler(l.root, l.enqueue)
	l.open = true
	l.changed(env.ConfigApply, l.root, "dynconfig.listen", l.set("last", l.last))
	l.enqueue()
	l.e.Go(l.thread, l.run)
}

// enqueue asks for a pass unless one is asked for already. Kafka: addChangeNotification.
func (l *listener) enqueue() {
	switch {
	case l.closed:
	case l.token:
		l.note(env.NoticeSkip, l.root, "dynconfig.asked")
	default:
		l.token = true
		l.changed(env.EventPut, l.root, "dynconfig.ask", l.set("asked", true))
	}
}

func (l *listener) run() {
	for !l.closed {
		l.e.Wait("notices", func() bool { return l.token || l.closed })
		if l.closed {
			break
		}
		l.token = false
		l.changed(env.ConfigApply, l.root, "dynconfig.take", l.set("asked", nil))
		if err := l.pass(); err != nil && !l.closed {
			l.passing = false
			l.changed(env.NoticeSkip, l.root, "dynconfig.pass.failed", l.set("now", nil), env.A("error", err.Error()))
		}
	}
	l.terminated = true
}

// close stops the thread and waits for its end. Where the original interrupts a request, this one lets it be answered.
func (l *listener) close() {
	l.closed, l.token, l.passing = true, false, false
	if l.open {
		l.open = false
		l.changed(env.ConfigApply, l.root, "dynconfig.closed", env.Unset("notices", l.broker, l.root))
	}
	l.zk.UnregisterStateChangeHandler("change-notification-" + l.root)
	l.zk.UnregisterZNodeChildChangeHandler(l.root)
	l.e.Wait("notices-closed", func() bool { return l.terminated })
}

// pass lists the notifications, carries out those with a number above the last one, and purges the old ones of that list.
// The clock is read once, before anything is carried out. An error ends the pass: the rest is done by the next.
// Kafka: processNotifications.
func (l *listener) pass() error {
	names, err := l.zk.GetChildren(l.root)
	if err != nil {
		return err
	}
	slices.Sort(names)
	l.begin(names)
	for _, name := range names {
		if l.closed {
			return nil
		}
		number, err := l.number(name)
		if err != nil {
			return err
		}
		if number > l.last {
			if err := l.carryOut(name, number); err != nil {
				return err
			}
		}
	}
	purged, err := l.purge(names)
	if err != nil || l.closed {
		return err
	}
	l.passing = false
	l.changed(env.ConfigApply, l.root, "dynconfig.pass.done", l.set("now", nil),
		env.A("purged", env.Int(purged)), env.A("kept", env.Int(len(names)-purged)))
	return nil
}

// begin reads the clock and says how many of the names the pass will leave alone.
func (l *listener) begin(names []string) {
	l.now, l.passing = l.e.Now(), true
	l.listed += int64(len(names))
	if !l.e.Tracing() {
		return
	}
	seen := 0
	for _, name := range names {
		if n, err := l.number(name); err == nil && n <= l.last {
			seen++
		}
	}
	changes := []env.Change{l.set("now", env.Time(l.now))}
	if l.listed > 0 {
		changes = append(changes, l.set("listed", l.listed))
	}
	l.e.Note(env.Note{Kind: env.ConfigApply, Entity: l.root, Msg: "dynconfig.pass", Changes: changes,
		Args: []env.Arg{env.A("listed", env.Int(len(names))), env.A("seen", env.Int(seen))}})
}

// number reads what follows the prefix's length, whatever stands before it.
func (l *listener) number(name string) (int64, error) {
	if len(name) < len(l.prefix) {
		return 0, fmt.Errorf("the name of %s/%s is shorter than %s: it carries no number", l.root, name, l.prefix)
	}
	n, err := strconv.ParseInt(name[len(l.prefix):], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s/%s: %q is not the number of a notification", l.root, name, name[len(l.prefix):])
	}
	return n, nil
}

// carryOut reads one notification and handles it. What the handler makes of it does not count: the number is taken for
// done, and it is never retried.
func (l *listener) carryOut(name string, number int64) error {
	path := l.root + "/" + name
	data, _, found, err := l.zk.GetDataAndStat(path)
	switch {
	case err != nil:
		return err
	case !found || data == nil:
		l.note(env.NoticeSkip, path, "dynconfig.notice.absent")
	default:
		if err := l.process(data); err != nil {
			l.note(env.NoticeSkip, path, "dynconfig.notice.failed", env.A("error", err.Error()))
		}
	}
	l.last = number
	if !l.closed {
		l.changed(env.ConfigApply, path, "dynconfig.notice.done", l.set("last", number), env.A("last", number))
	}
	return nil
}

// purge deletes the notifications that are older than 15 minutes by the clock as it was when the pass began, carried out or
// not. One without data is never deleted. Kafka: purgeObsoleteNotifications.
func (l *listener) purge(names []string) (purged int, err error) {
	for _, name := range names {
		if l.closed {
			return purged, nil
		}
		path := l.root + "/" + name
		data, stat, found, err := l.zk.GetDataAndStat(path)
		if err != nil {
			return purged, err
		}
		if !found || data == nil || l.now-stat.Ctime <= expirationMS {
			continue
		}
		l.note(env.NoticePurge, path, "dynconfig.notice.purge", env.A("age", l.now-stat.Ctime))
		if _, err := l.zk.DeleteRecursive(path, kafka.MatchAnyVersion); err != nil {
			return purged, err
		}
		purged++
	}
	return purged, nil
}

// dump adds notices/B/ROOT.
func (l *listener) dump(d env.Dump) {
	if !l.open {
		return
	}
	d.Set(l.last, "notices", l.broker, l.root, "last")
	if l.listed > 0 {
		d.Set(l.listed, "notices", l.broker, l.root, "listed")
	}
	if l.token {
		d.Set(true, "notices", l.broker, l.root, "asked")
	}
	if l.passing {
		d.Set(env.Time(l.now), "notices", l.broker, l.root, "now")
	}
}

func (l *listener) set(leaf string, after any) env.Change {
	return env.Change{Path: env.P("notices", l.broker, l.root, leaf), After: after}
}

func (l *listener) note(kind env.Kind, entity, key string, args ...env.Arg) {
	if l.e.Tracing() {
		l.e.Note(env.Note{Kind: kind, Entity: entity, Msg: key, Args: args})
	}
}

// changed is a note of something that is different from now on.
func (l *listener) changed(kind env.Kind, entity, key string, change env.Change, args ...env.Arg) {
	if l.e.Tracing() {
		l.e.Note(env.Note{Kind: kind, Entity: entity, Msg: key, Args: args, Changes: []env.Change{change}})
	}
}
