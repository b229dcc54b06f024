package request

import "controllerscope/core/kafka"

// IncrementalAlterConfigs changes entries of the configs of topics and brokers. Any broker serves topics and the default
// of all brokers; a named broker is served by itself. Kafka: IncrementalAlterConfigsRequest.
type IncrementalAlterConfigs struct {
	Resources []AlterConfigs
}

// AlterConfigs changes one entity: Type is "topics" or "brokers"; the Name "" stands for all brokers.
type AlterConfigs struct {
	Type, Name string
	Ops        []ConfigOp
}

// ConfigOp sets an entry, or deletes it when Delete is set. Kafka: AlterConfigOp, SET and DELETE.
type ConfigOp struct {
	Key, Value string
	Delete     bool
}

// AlterClientQuotas changes quotas of users, clients and ips; any broker serves it. Kafka: AlterClientQuotasRequest.
type AlterClientQuotas struct {
	Entries []AlterQuotas
}

// AlterQuotas changes one entity.
type AlterQuotas struct {
	Entity []QuotaEntity
	Ops    []QuotaOp
}

// QuotaEntity is one part of a quota entity: Type is "user", "client-id" or "ip". Kafka: ClientQuotaEntity.
type QuotaEntity struct {
	Type, Name string
	Default    bool // stands for all without their own
}

// QuotaOp sets a quota, or removes it. Kafka: ClientQuotaAlteration.Op.
type QuotaOp struct {
	Key    string
	Value  float64
	Remove bool
}

// EntityResponse answers both: one result per entity, in the order of the request.
type EntityResponse struct {
	Of       string
	Error    kafka.Error
	Entities []EntityResult
}

// EntityResult is the outcome for one entity, named as the request names it; Message is Kafka's sentence.
type EntityResult struct {
	Type, Name string
	Error      kafka.Error
	Message    string
}

func (IncrementalAlterConfigs) Kind() string   { return "IncrementalAlterConfigs" }
func (AlterClientQuotas) Kind() string         { return "AlterClientQuotas" }
func (r EntityResponse) Kind() string          { return r.Of }
func (r EntityResponse) TopError() kafka.Error { return r.Error }
