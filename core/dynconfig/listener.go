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
	root       string
	prefix     string // of the children's names; their number begins after as many characters
	thread     string
	process    func(data []byte) error
	last       int64 // lastExecutedChange
	token      bool  // a pass is asked for; one taken by the thread does not count
	closed     bool
	terminated bool
}

// init registers for changes, asks for the first pass, which arms the watch, and starts the thread.
func (l *listener) init() {
	l.last = -1
	l.zk.RegisterStateChangeHandler(zkclient.StateChangeHandler{Name: "change-notification-" + l.root, AfterInitializingSession: l.enqueue})
	l.zk.RegisterZNodeChildChangeHandler(l.root, l.enqueue)
	l.enqueue()
	l.e.Go(l.thread, l.run)
}

// enqueue asks for a pass unless one is asked for already.
func (l *listener) enqueue() {
	if !l.closed {
		l.token = true
	}
}

func (l *listener) run() {
	for !l.closed {
		l.e.Wait("notices", func() bool { return l.token || l.closed })
		if l.closed {
			break
		}
		l.token = false
		if err := l.pass(); err != nil && !l.closed {
			l.note(env.NoticeSkip, l.root, "dynconfig.pass.failed", env.A("error", err.Error()))
		}
	}
	l.terminated = true
}

// close stops the thread and waits for its end. Where the original interrupts a request, this one lets it be answered.
func (l *listener) close() {
	l.closed, l.token = true, false
	l.zk.UnregisterStateChangeHandler("change-notification-" + l.root)
	l.zk.UnregisterZNodeChildChangeHandler(l.root)
	l.e.Wait("notices-closed", func() bool { return l.terminated })
}

// pass lists the notifications, carries out those with a number above the last one, and purges the old ones of that list.
// An error ends the pass: the rest is done by the next. Kafka: processNotifications.
func (l *listener) pass() error {
	names, err := l.zk.GetChildren(l.root)
	if err != nil || len(names) == 0 {
		return err
	}
	slices.Sort(names)
	now := l.e.Now()
	for _, name := range names {
		if l.closed {
			return nil
		}
		number, err := l.number(name)
		if err != nil {
			return err
		}
		if number > l.last {
			if err := l.carryOut(name); err != nil {
				return err
			}
			l.last = number
		}
	}
	return l.purge(now, names)
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

// carryOut reads one notification and handles it. What the handler makes of it does not count: it is never retried.
func (l *listener) carryOut(name string) error {
	path := l.root + "/" + name
	data, _, found, err := l.zk.GetDataAndStat(path)
	if err != nil {
		return err
	}
	if !found || data == nil {
		l.note(env.NoticeSkip, path, "dynconfig.notice.absent")
		return nil
	}
	if err := l.process(data); err != nil {
		l.note(env.NoticeSkip, path, "dynconfig.notice.failed", env.A("error", err.Error()))
	}
	return nil
}

// purge deletes the notifications that are older than 15 minutes at now. One without data is never deleted.
func (l *listener) purge(now int64, names []string) error {
	for _, name := range names {
		if l.closed {
			return nil
		}
		path := l.root + "/" + name
		data, stat, found, err := l.zk.GetDataAndStat(path)
		if err != nil {
			return err
		}
		if !found || data == nil || now-stat.Ctime <= expirationMS {
			continue
		}
		l.note(env.NoticePurge, path, "dynconfig.notice.purge", env.A("age", now-stat.Ctime))
		if _, err := l.zk.DeleteRecursive(path, kafka.MatchAnyVersion); err != nil {
			return err
		}
	}
	return nil
}

func (l *listener) note(kind env.Kind, entity, key string, args ...env.Arg) {
	if l.e.Tracing() {
		l.e.Note(env.Note{Kind: kind, Entity: entity, Msg: key, Args: args})
	}
}
