// Package admin carries out what administrators ask of a cluster: the API requests that a broker answers over its own
// ZooKeeper session, with Kafka's validation and error names.
package admin

import (
	"errors"
	"fmt"
	"slices"

	"controllerscope/core/dynconfig"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkclient"
)

// Config is what the process says about itself, and server.properties about topics that are created.
type Config struct {
	BrokerID          kafka.BrokerID
	NumPartitions     int32 // num.partitions
	ReplicationFactor int16 // default.replication.factor
	DeleteTopic       bool  // delete.topic.enable
	TimeoutMS         int64 // how long an answer waits for what was asked to show in the metadata cache
	TopicIDs          bool  // new topics get an id: inter.broker.protocol.version 2.8-IV0 or later
	// QueuedForDeletion asks the controller of this process. Kafka: TopicDeletionManager.isTopicQueuedUpForDeletion.
	QueuedForDeletion func(topic string) bool
	// ValidateBroker says what is wrong with a dynamic config for this process. Kafka: DynamicBrokerConfig.validate.
	ValidateBroker func(config map[string]string, perBroker bool) error
	Passwords      *dynconfig.PasswordEncoder // nil without password.encoder.secret
}

// Cache is the metadata cache of the process. Kafka: MetadataCache.
type Cache interface {
	AliveBrokers() []kafka.Broker
	HasTopic(topic string) bool
	CachedPartition(tp kafka.TopicPartition) (request.UpdateMetadataPartition, bool)
}

// Manager answers administrative requests. Its methods block, so they run on a thread. Kafka: ZkAdminManager, AdminZkClient.
type Manager struct {
	cfg   Config
	e     env.Env
	zk    *zkclient.Client
	cache Cache
}

// New makes a manager.
func New(cfg Config, e env.Env, zk *zkclient.Client, cache Cache) *Manager {
	return &Manager{cfg: cfg, e: e, zk: zk, cache: cache}
}

// Failure is a refusal with Kafka's error and sentence. Kafka: ApiError.
type Failure struct {
	Code    kafka.Error
	Message string
}

func (f *Failure) Error() string { return f.Code.Error() + ": " + f.Message }

func fail(code kafka.Error, format string, args ...any) *Failure {
	return &Failure{code, fmt.Sprintf(format, args...)}
}

// result is the outcome for one topic; an error that is no Failure is the server's own.
func result(topic string, err error) request.TopicResult {
	var f *Failure
	switch {
	case err == nil:
		return request.TopicResult{Name: topic}
	case errors.As(err, &f):
		return request.TopicResult{Name: topic, Error: f.Code, Message: f.Message}
	}
	return request.TopicResult{Name: topic, Error: kafka.UNKNOWN_SERVER_ERROR, Message: err.Error()}
}

// refuseAll gives every topic the same error.
func refuseAll(of string, topics []string, code kafka.Error, message string) request.TopicResponse {
	answer := request.TopicResponse{Of: of}
	for _, topic := range topics {
		answer.Topics = append(answer.Topics, request.TopicResult{Name: topic, Error: code, Message: message})
	}
	return answer
}

// duplicated reports whether another entry has the name of entry i.
func duplicated(names []string, i int) bool {
	return slices.Index(names, names[i]) != i || slices.Contains(names[i+1:], names[i])
}
