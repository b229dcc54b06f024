package server

import (
	"slices"

	"controllerscope/core/controller"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// electLeaders hands an election to the controller and answers when the metadata cache shows what was elected. With all
// partitions asked for, those that need no election are left out of the answer.
// Kafka: KafkaApis.handleElectReplicaLeader, ReplicaManager.electLeaders.
func (s *Server) electLeaders(r request.ElectLeaders, reply func(request.Response)) {
	tps, all := r.Partitions, r.Partitions == nil
	if all {
		tps = s.broker.CachedPartitions()
	}
	s.controller.ElectLeaders(tps, r.Unclean, func(results map[kafka.TopicPartition]controller.ElectionResult) {
		elected := map[kafka.TopicPartition]kafka.BrokerID{}
		for tp, result := range results {
			if result.Error == kafka.NONE {
				elected[tp] = result.Leader
			}
		}
		answer := func(late []kafka.TopicPartition) {
			reply(elections(s.set.order, r, results, late, all))
		}
		if len(elected) == 0 {
			answer(nil)
			return
		}
		s.thread(func() { answer(s.admin.AwaitElected(elected)) })
	})
}

// elections is the answer: the results, grouped by topic, each group in the order of the map that Kafka keeps them in.
func elections(order kafka.Order, r request.ElectLeaders, results map[kafka.TopicPartition]controller.ElectionResult, late []kafka.TopicPartition, all bool) request.PartitionResponse {
	answer := request.PartitionResponse{Of: r.Kind()}
	for _, tp := range order.GroupedByTopic(kafka.PartitionKeys(order, results, nil)) {
		x := request.PartitionResult{TopicPartition: tp, Error: results[tp].Error}
		switch {
		case all && x.Error == kafka.ELECTION_NOT_NEEDED:
			continue
		case slices.Contains(late, tp):
			x.Error = kafka.REQUEST_TIMED_OUT
		}
		answer.Partitions = append(answer.Partitions, x)
	}
	return answer
}

// alterReassignments hands reassignments to the controller. Kafka: KafkaApis.handleAlterPartitionReassignmentsRequest.
func (s *Server) alterReassignments(r request.AlterPartitionReassignments, reply func(request.Response)) {
	s.controller.AlterPartitionReassignments(r.Partitions, func(results []request.PartitionResult, err kafka.Error) {
		reply(request.PartitionResponse{Of: r.Kind(), Error: err, Partitions: grouped(s.set.order, results)})
	})
}

// grouped puts results into the order in which Kafka answers: by topic, each group as the map that it keeps them in.
func grouped(order kafka.Order, results []request.PartitionResult) []request.PartitionResult {
	if order == kafka.Sorted {
		return results
	}
	of := map[kafka.TopicPartition]request.PartitionResult{}
	for _, r := range results {
		of[r.TopicPartition] = r
	}
	var out []request.PartitionResult
	for _, tp := range order.GroupedByTopic(kafka.PartitionKeys(order, of, nil)) {
		out = append(out, of[tp])
	}
	return out
}

// listReassignments asks the controller. Kafka: KafkaApis.handleListPartitionReassignmentsRequest.
func (s *Server) listReassignments(r request.ListPartitionReassignments, reply func(request.Response)) {
	s.controller.ListPartitionReassignments(r.Partitions, func(list []request.OngoingReassignment, err kafka.Error) {
		reply(request.ListPartitionReassignmentsResponse{Error: err, Partitions: list})
	})
}

// metadata is what this broker's metadata cache holds. Kafka: KafkaApis.handleTopicMetadataRequest.
func (s *Server) metadata(r request.Metadata) request.MetadataResponse {
	answer := request.MetadataResponse{Brokers: s.broker.AliveBrokers(), Controller: s.broker.ActiveController()}
	for _, topic := range r.Topics {
		t := request.MetadataTopic{Name: topic}
		for _, p := range s.broker.CachedTopic(topic) {
			t.Partitions = append(t.Partitions, request.MetadataPartition{Partition: p.Partition, Replicas: p.Replicas})
		}
		if t.Partitions == nil {
			t.Error = kafka.UNKNOWN_TOPIC_OR_PARTITION
		}
		answer.Topics = append(answer.Topics, t)
	}
	return answer
}

// produce appends what a producer sends. Kafka: KafkaApis.handleProduceRequest.
func (s *Server) produce(r request.Produce, reply func(request.Response)) {
	reply(request.PartitionResponse{Of: r.Kind(), Partitions: []request.PartitionResult{
		{TopicPartition: r.TopicPartition, Error: s.broker.Append(r.TopicPartition, r.Records)}}})
}
