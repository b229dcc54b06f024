package server

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// An authorizer decides who may do what on which resource. Here there is one principal and the cluster is the one resource:
// scope.deny in server.properties names the operations on it that are denied, ALTER or DESCRIBE or both. Without it there is
// no authorizer, and everything is allowed.

// denied are the operations on the cluster that nobody may do. Kafka: AclOperation.
func denied(into *[]string) reader {
	return func(value string) error {
		for _, op := range strings.Split(value, ",") {
			if op != "ALTER" && op != "DESCRIBE" {
				return fmt.Errorf("%q is neither ALTER nor DESCRIBE", op)
			}
			*into = append(*into, op)
		}
		return nil
	}
}

// operation is what a request does to the cluster, "" when its handler asks about another resource or about none.
// Kafka: KafkaApis.authorizeClusterOperation and what handleElectReplicaLeader and handleUpdateFeatures ask.
func operation(r request.Request) string {
	switch r.(type) {
	case request.ElectLeaders, request.AlterPartitionReassignments, request.UpdateFeatures:
		return "ALTER"
	case request.ListPartitionReassignments:
		return "DESCRIBE"
	}
	return ""
}

// refuse answers a request that the authorizer denies; it reports whether it did.
func (s *Server) refuse(r request.Request, reply func(request.Response)) bool {
	op := operation(r)
	if op == "" || !slices.Contains(s.set.denied, op) {
		return false
	}
	switch r := r.(type) {
	case request.ElectLeaders:
		reply(forbidden(r.Kind(), r.Partitions))
	case request.AlterPartitionReassignments:
		var tps []kafka.TopicPartition
		for _, p := range r.Partitions {
			tps = append(tps, p.TopicPartition)
		}
		reply(forbidden(r.Kind(), tps))
	case request.UpdateFeatures:
		reply(request.UpdateFeaturesResponse{Error: kafka.CLUSTER_AUTHORIZATION_FAILED})
	case request.ListPartitionReassignments:
		reply(request.ListPartitionReassignmentsResponse{Error: kafka.CLUSTER_AUTHORIZATION_FAILED})
	}
	return true
}

// forbidden is the answer for each partition and as a whole.
func forbidden(kind string, tps []kafka.TopicPartition) request.PartitionResponse {
	answer := request.PartitionResponse{Of: kind, Error: kafka.CLUSTER_AUTHORIZATION_FAILED}
	for _, tp := range tps {
		answer.Partitions = append(answer.Partitions, request.PartitionResult{TopicPartition: tp, Error: kafka.CLUSTER_AUTHORIZATION_FAILED})
	}
	return answer
}
