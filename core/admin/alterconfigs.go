package admin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/dynconfig"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// IncrementalAlterConfigs changes the configs of topics and brokers one after the other: reads, changes, checks and writes
// the whole config, then announces it. Two at once can lose a change. Kafka: ZkAdminManager.incrementalAlterConfigs.
func (m *Manager) IncrementalAlterConfigs(r request.IncrementalAlterConfigs) request.EntityResponse {
	answer := request.EntityResponse{Of: r.Kind()}
	for _, x := range r.Resources {
		answer.Entities = append(answer.Entities, entityResult(x.Type, x.Name, m.alterConfigs(x)))
	}
	return answer
}

// entityResult is the outcome for one entity.
func entityResult(entityType, name string, err error) request.EntityResult {
	x := result(name, err)
	return request.EntityResult{Type: entityType, Name: name, Error: x.Error, Message: x.Message}
}

func (m *Manager) alterConfigs(x request.AlterConfigs) error {
	seen := map[string]bool{}
	for _, op := range x.Ops {
		if seen[op.Key] {
			return fail(kafka.INVALID_REQUEST, "Error due to duplicate config keys : %s", op.Key)
		}
		seen[op.Key] = true
	}
	switch x.Type {
	case zkdata.ConfigTypeTopics:
		return m.alterTopic(x)
	case zkdata.ConfigTypeBrokers:
		return m.alterBroker(x)
	}
	return fail(kafka.INVALID_REQUEST, "AlterConfigs is only supported for topics and brokers, but resource type is %s", x.Type)
}

// change applies the operations to a copy of what is stored.
func change(stored map[string]string, ops []request.ConfigOp) map[string]string {
	for _, op := range ops {
		if op.Delete {
			delete(stored, op.Key)
		} else {
			stored[op.Key] = op.Value
		}
	}
	return stored
}

func (m *Manager) alterTopic(x request.AlterConfigs) error {
	if x.Name == "" {
		return fail(kafka.INVALID_REQUEST, "Default topic resources are not allowed.")
	}
	config, err := m.zk.GetEntityConfigs(zkdata.ConfigTypeTopics, x.Name)
	if err != nil {
		return err
	}
	config = change(config, x.Ops)
	if !m.cache.HasTopic(x.Name) {
		return fail(kafka.UNKNOWN_TOPIC_OR_PARTITION, "The topic '%s' does not exist.", x.Name)
	}
	for range 2 { // Kafka validates before it changes, and again when it changes.
		if err := m.validateTopicConfig(x.Name, config); err != nil {
			return err
		}
	}
	return m.store(zkdata.ConfigTypeTopics, x.Name, config)
}

// validateTopicConfig checks the name, the topic and the entries. Kafka: AdminZkClient.validateTopicConfig.
func (m *Manager) validateTopicConfig(topic string, config map[string]string) error {
	if sentence := validTopicName(topic); sentence != "" {
		return fail(kafka.INVALID_TOPIC_EXCEPTION, "%s", sentence)
	}
	switch found, err := m.zk.TopicExists(topic); {
	case err != nil:
		return err
	case !found:
		return fail(kafka.UNKNOWN_TOPIC_OR_PARTITION, "Topic '%s' does not exist.", topic)
	}
	return configFailure(fmt.Sprintf("ConfigResource(type=TOPIC, name='%s')", topic), dynconfig.CheckTopic(config))
}

// configFailure is INVALID_CONFIG for what Kafka calls an invalid configuration, INVALID_REQUEST for anything else.
func configFailure(resource string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(dynconfig.InvalidConfiguration)):
		return fail(kafka.INVALID_CONFIG, "%s", err)
	}
	return fail(kafka.INVALID_REQUEST, "Invalid config value for resource %s: %s", resource, err)
}

// alterBroker changes the config of this broker, or of all. Kafka: ZkAdminManager.alterBrokerConfigs.
func (m *Manager) alterBroker(x request.AlterConfigs) error {
	entity, perBroker := zkdata.DefaultEntity, x.Name != ""
	if perBroker {
		id, err := strconv.ParseInt(x.Name, 10, 32)
		if err != nil {
			return fail(kafka.INVALID_REQUEST, "Broker id must be an integer, but it is: %s", x.Name)
		}
		if kafka.BrokerID(id) != m.cfg.BrokerID {
			return fail(kafka.INVALID_REQUEST, "Unexpected broker id, expected %d, but received %s", m.cfg.BrokerID, x.Name)
		}
		entity = m.cfg.BrokerID.String()
	}
	stored, err := m.zk.GetEntityConfigs(zkdata.ConfigTypeBrokers, entity)
	if err != nil {
		return err
	}
	usable, _ := dynconfig.UsableBroker(stored, perBroker, m.cfg.Passwords)
	config := change(usable, x.Ops)
	err = m.cfg.ValidateBroker(config, perBroker)
	if err == nil {
		config, err = m.cfg.Passwords.EncodeAll(config, perBroker)
	}
	if err != nil {
		return configFailure(fmt.Sprintf("ConfigResource(type=BROKER, name='%s')", x.Name), err)
	}
	return m.store(zkdata.ConfigTypeBrokers, entity, config)
}

// store writes the whole config of an entity, then the notification: a crash in between leaves a value that only a
// restarted broker sees. Kafka: AdminZkClient.changeEntityConfig.
func (m *Manager) store(entityType, entity string, config map[string]string) error {
	if err := m.zk.SetOrCreateEntityConfigs(entityType, entity, config); err != nil {
		return err
	}
	return m.zk.CreateConfigChangeNotification(entityType + "/" + entity)
}

// AlterClientQuotas changes the quotas of users, clients and ips. Kafka: ZkAdminManager.alterClientQuotas.
func (m *Manager) AlterClientQuotas(r request.AlterClientQuotas) request.EntityResponse {
	answer := request.EntityResponse{Of: r.Kind()}
	for _, x := range r.Entries {
		entityType, entity, err := quotaEntity(x.Entity)
		if err == nil {
			err = m.alterQuotas(entityType, entity, x.Ops)
		}
		answer.Entities = append(answer.Entities, entityResult(entityType, entity, err))
	}
	return answer
}

// quotaEntity is the config entity of a quota entity: users/U/clients/C for a user with a client.
// Kafka: ZkAdminManager.parseAndSanitizeQuotaEntity.
func quotaEntity(parts []request.QuotaEntity) (entityType, entity string, err error) {
	if len(parts) == 0 {
		return "", "", fail(kafka.INVALID_REQUEST, "Invalid empty client quota entity")
	}
	names := map[string]string{}
	for _, p := range parts {
		name := zkdata.Sanitize(p.Name)
		switch {
		case p.Default:
			name = zkdata.DefaultEntity
		case p.Name == "":
			return "", "", fail(kafka.INVALID_REQUEST, "Empty %s not supported", p.Type)
		}
		if p.Type != "user" && p.Type != "client-id" && p.Type != "ip" {
			return "", "", fail(kafka.INVALID_REQUEST, "Unhandled client quota entity type: %s", p.Type)
		}
		names[p.Type] = name
	}
	user, client, ip := names["user"], names["client-id"], names["ip"]
	switch {
	case ip != "" && (user != "" || client != ""):
		return "", "", fail(kafka.INVALID_REQUEST, "Invalid quota entity combination, IP entity should not be combined with User or ClientId")
	case ip != "":
		return zkdata.ConfigTypeIPs, ip, nil
	case user != "" && client != "":
		return zkdata.ConfigTypeUsers, strings.Join([]string{user, zkdata.ConfigTypeClients, client}, "/"), nil
	case user != "":
		return zkdata.ConfigTypeUsers, user, nil
	}
	return zkdata.ConfigTypeClients, client, nil
}

func (m *Manager) alterQuotas(entityType, entity string, ops []request.QuotaOp) error {
	if entityType == zkdata.ConfigTypeIPs && !dynconfig.ValidIP(entity) {
		return fail(kafka.INVALID_REQUEST, "%s is not a valid IP or resolvable host.", entity)
	}
	config, err := m.zk.GetEntityConfigs(entityType, entity)
	if err != nil {
		return err
	}
	for _, op := range ops {
		text, known, err := dynconfig.QuotaValue(entityType, op.Key, op.Value)
		switch {
		case !known:
			return fail(kafka.INVALID_REQUEST, "Invalid configuration key %s", op.Key)
		case op.Remove:
			delete(config, op.Key)
			continue
		case err != nil:
			return fail(kafka.INVALID_REQUEST, "%s", err)
		}
		config[op.Key] = text
	}
	if err := dynconfig.CheckQuotas(entityType, entity, config); err != nil {
		return fail(kafka.INVALID_REQUEST, "%s", err)
	}
	return m.store(entityType, entity, config)
}
