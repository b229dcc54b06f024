// Package dynconfig is how dynamic configuration reaches a broker: notifications below /config/changes name an entity
// whose config has changed, the broker reads its current config and applies it, and old notifications are purged.
package dynconfig

import (
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkclient"
	"controllerscope/core/zkdata"
)

// Handler applies the whole config of one entity; an empty map means that all overrides are gone. Kafka: ConfigHandler.
type Handler func(entity string, config map[string]string) error

// Manager keeps the dynamic configuration of one broker. Kafka: DynamicConfigManager.
type Manager struct {
	e        env.Env
	zk       *zkclient.Client
	id       kafka.BrokerID
	handlers map[string]Handler
	applied  map[string]map[string]map[string]string // type -> entity -> config
	listener listener
}

// New makes a manager. handlers are called after the config has been taken over, by entity type; a missing one is fine.
func New(e env.Env, zk *zkclient.Client, id kafka.BrokerID, handlers map[string]Handler) *Manager {
	m := &Manager{e: e, zk: zk, id: id, handlers: handlers, applied: map[string]map[string]map[string]string{}}
	m.listener = listener{e: e, zk: zk, broker: id.String(), root: zkdata.ConfigChangesPath,
		prefix: strings.TrimPrefix(zkdata.ConfigChangeSequencePath, zkdata.ConfigChangesPath+"/"), thread: "config", process: m.processNotice}
	return m
}

// Startup starts the listener and applies what is configured already. The walk runs on the caller's thread beside the
// listener's; an error ends it. Kafka: DynamicConfigManager.startup.
func (m *Manager) Startup() error {
	m.listener.init()
	for _, step := range []struct {
		entityType string
		children   bool
	}{{zkdata.ConfigTypeTopics, false}, {zkdata.ConfigTypeClients, false}, {zkdata.ConfigTypeUsers, false},
		{zkdata.ConfigTypeUsers, true}, {zkdata.ConfigTypeIPs, false}, {zkdata.ConfigTypeBrokers, false}} {
		entities, err := m.entities(step.entityType, step.children)
		if err != nil {
			return err
		}
		if err := m.applyAll(step.entityType, entities); err != nil {
			return err
		}
	}
	return nil
}

// Shutdown stops the listener. Kafka: DynamicConfigManager.shutdown.
func (m *Manager) Shutdown() { m.listener.close() }

// entities lists the entities of a type, or the clients of all users as "alice/clients/app-1".
func (m *Manager) entities(entityType string, clientsOfUsers bool) ([]string, error) {
	entities, err := m.zk.GetAllEntitiesWithConfig(entityType)
	if err != nil || !clientsOfUsers {
		return entities, err
	}
	var pairs []string
	for _, user := range entities {
		parent := user + "/" + zkdata.ConfigTypeClients
		clients, err := m.zk.GetAllEntitiesWithConfig(entityType + "/" + parent)
		if err != nil {
			return nil, err
		}
		for _, client := range clients {
			pairs = append(pairs, parent+"/"+client)
		}
	}
	return pairs, nil
}

// applyAll reads the configs of all entities, then applies them.
func (m *Manager) applyAll(entityType string, entities []string) error {
	configs := make([]map[string]string, len(entities))
	for i, entity := range entities {
		config, err := m.zk.GetEntityConfigs(entityType, entity)
		if err != nil {
			return err
		}
		configs[i] = config
	}
	for i, entity := range entities {
		if err := m.apply(entityType, entity, configs[i]); err != nil {
			return err
		}
	}
	return nil
}

// processNotice reads the entity's config as it is now: the notice carries none.
func (m *Manager) processNotice(data []byte) error {
	n, ok, err := decodeNotice(data)
	if err != nil || !ok {
		return err
	}
	if err := n.checkPath(); err != nil {
		return err
	}
	config, err := m.zk.GetEntityConfigs(n.entityType, n.entity)
	if err != nil {
		return err
	}
	return m.apply(n.entityType, n.entity, config)
}

// apply takes the config over where it concerns this broker. Kafka: the ConfigHandlers' processConfigChanges.
func (m *Manager) apply(entityType, entity string, config map[string]string) error {
	concerned, err := m.concerns(entityType, entity)
	if err != nil || !concerned {
		return err
	}
	if m.applied[entityType] == nil {
		m.applied[entityType] = map[string]map[string]string{}
	}
	change := env.Unset("config", m.id.String(), entityType, entity)
	if len(config) == 0 {
		delete(m.applied[entityType], entity)
	} else {
		m.applied[entityType][entity] = config
		change.After = record(config)
	}
	if m.e.Tracing() {
		m.e.Note(env.Note{Kind: env.ConfigApply, Entity: entityType + "/" + entity, Msg: "dynconfig.apply",
			Args:    []env.Arg{env.A("type", entityType), env.A("entity", entity), env.A("keys", env.Int(len(config)))},
			Changes: []env.Change{change}})
	}
	if h := m.handlers[entityType]; h != nil {
		return h(entity, config)
	}
	return nil
}

// concerns reports whether this broker applies configs of that entity, or why there can be no such entity.
func (m *Manager) concerns(entityType, entity string) (bool, error) {
	switch entityType {
	case zkdata.ConfigTypeBrokers:
		if entity == zkdata.DefaultEntity {
			return true, nil
		}
		n, err := strconv.ParseInt(entity, 10, 32)
		if err != nil {
			return false, fmt.Errorf("the broker %q is not a number", entity)
		}
		return kafka.BrokerID(n) == m.id, nil
	case zkdata.ConfigTypeUsers:
		parts := strings.Split(entity, "/")
		if len(parts) != 1 && len(parts) != 3 {
			return false, fmt.Errorf("invalid quota entity path: %s", entity)
		}
	}
	return true, nil
}

// Config is what is applied for an entity now; nil for nothing.
func (m *Manager) Config(entityType, entity string) map[string]string {
	return m.applied[entityType][entity]
}

// Dump adds config/B/TYPE/NAME and notices/B/PATH.
func (m *Manager) Dump(d env.Dump) {
	for entityType, entities := range m.applied {
		for entity, config := range entities {
			d.Set(record(config), "config", m.id.String(), entityType, entity)
		}
	}
	m.listener.dump(d)
}

func record(config map[string]string) env.Record {
	r := make(env.Record, len(config))
	for i, k := range kafka.SortedKeys(config) {
		r[i] = env.A(k, config[k])
	}
	return r
}

// Messages documents the keys of this package's notes.
var Messages = []env.Message{
	{Key: "dynconfig.apply", Src: "dynconfig.(*Manager).apply", Kafka: "ConfigHandler.processConfigChanges", Article: "S4", Args: []string{"type", "entity", "keys"}},
	{Key: "dynconfig.listen", Src: "dynconfig.(*listener).init", Kafka: "ZkNodeChangeNotificationListener.init", Article: "S4"},
	{Key: "dynconfig.closed", Src: "dynconfig.(*listener).close", Kafka: "ZkNodeChangeNotificationListener.close"},
	{Key: "dynconfig.ask", Src: "dynconfig.(*listener).enqueue", Kafka: "ZkNodeChangeNotificationListener.addChangeNotification", Article: "S4"},
	{Key: "dynconfig.asked", Src: "dynconfig.(*listener).enqueue", Kafka: "ZkNodeChangeNotificationListener.addChangeNotification", Article: "S4"},
	{Key: "dynconfig.take", Src: "dynconfig.(*listener).run", Kafka: "ZkNodeChangeNotificationListener.ChangeEventProcessThread"},
	{Key: "dynconfig.pass", Src: "dynconfig.(*listener).begin", Kafka: "ZkNodeChangeNotificationListener.processNotifications", Article: "S4", Args: []string{"listed", "seen"}},
	{Key: "dynconfig.pass.done", Src: "dynconfig.(*listener).pass", Kafka: "ZkNodeChangeNotificationListener.processNotifications", Article: "S4", Args: []string{"purged", "kept"}},
	{Key: "dynconfig.notice.done", Src: "dynconfig.(*listener).carryOut", Kafka: "ZkNodeChangeNotificationListener.processNotification", Article: "S4", Args: []string{"last"}},
	{Key: "dynconfig.notice.absent", Src: "dynconfig.(*listener).carryOut", Kafka: "ZkNodeChangeNotificationListener.processNotification"},
	{Key: "dynconfig.notice.failed", Src: "dynconfig.(*listener).carryOut", Kafka: "ZkNodeChangeNotificationListener.processNotification", Args: []string{"error"}},
	{Key: "dynconfig.notice.purge", Src: "dynconfig.(*listener).purge", Kafka: "ZkNodeChangeNotificationListener.purgeObsoleteNotifications", Article: "S4", Args: []string{"age"}},
	{Key: "dynconfig.pass.failed", Src: "dynconfig.(*listener).pass", Kafka: "ZkNodeChangeNotificationListener.processNotifications", Args: []string{"error"}},
}
