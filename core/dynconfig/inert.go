package dynconfig

import (
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// Changes is a listener of notifications that this project does not act on: those of ACLs and of delegation tokens go the
// same way as those of configs, with a work item, a number in memory and a purge of their own.
type Changes struct{ listener listener }

// inert lists the paths of such notifications: for each the config that makes a broker listen, and the thread's name.
// Kafka: AclAuthorizer.startZkChangeListeners, DelegationTokenManager.startup.
var inert = []struct{ enabledBy, sequence, thread string }{
	{"delegation.token.secret.key", zkdata.TokenChangeSequencePath, "token"},
	{"authorizer.class.name", zkdata.ACLChangeSequencePath, "acl"},
	{"authorizer.class.name", zkdata.ExtendedACLSequencePath, "extended-acl"},
}

// InertChanges are the listeners that server.properties ask for. Kafka's authorizer has a ZooKeeper session of its own; here
// its listeners use the broker's.
func InertChanges(e env.Env, zk *zkclient.Client, id kafka.BrokerID, props map[string]string) (out []*Changes) {
	for _, x := range inert {
		if props[x.enabledBy] == "" {
			continue
		}
		i := strings.LastIndexByte(x.sequence, '/')
		out = append(out, &Changes{listener{e: e, zk: zk, broker: id.String(), root: x.sequence[:i], prefix: x.sequence[i+1:],
			thread: x.thread, process: func([]byte) error { return nil }}})
	}
	return out
}

// Startup makes sure of the directory and starts the listener.
func (c *Changes) Startup() error {
	if err := c.listener.zk.MakeSurePersistentPathExists(c.listener.root); err != nil {
		return err
	}
	c.listener.init()
	return nil
}

// Shutdown stops the listener, if it has been started.
func (c *Changes) Shutdown() {
	if c.listener.open {
		c.listener.close()
	}
}

// Dump adds notices/B/PATH.
func (c *Changes) Dump(d env.Dump) { c.listener.dump(d) }
