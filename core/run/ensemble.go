package run

import (
	"fmt"
	"strconv"

	"controllerscope/core/zk"
)

// ensemble makes ZooKeeper several servers, as servers=3 of the cluster line asks.
func (r *Run) ensemble(word string) error {
	servers, err := strconv.Atoi(word)
	if err != nil || servers < 1 || servers > 7 || servers%2 == 0 {
		return fmt.Errorf("servers=%s is no size of a ZooKeeper ensemble; 1, 3, 5 and 7 are", word)
	}
	if servers == 1 {
		return nil
	}
	one, can := r.opts.Store.(interface{ Ensemble(servers int) zk.Ensemble })
	if !can {
		return fmt.Errorf("servers=%d needs the emulator; a real ZooKeeper has the servers it has", servers)
	}
	e := one.Ensemble(servers)
	if e == nil {
		return fmt.Errorf("servers=%d needs a ZooKeeper that nobody has used yet", servers)
	}
	r.opts.Store = e
	return nil
}
