package server

import (
	"strconv"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// received is a request that waits for the process to open its request processing.
type received struct {
	r     request.Request
	reply func(request.Response)
}

// Receive implements request.Handler. Requests that come before the process is RUNNING wait; after it began to shut down
// they stay without an answer.
func (s *Server) Receive(_ string, r request.Request, reply func(request.Response)) {
	switch {
	case s.processing:
		s.handle(r, reply)
	case !s.stopping && !s.exited:
		s.waiting = append(s.waiting, received{r, reply})
	}
}

// open begins to process requests, first those that came early. Kafka: SocketServer.startProcessingRequests.
func (s *Server) open() {
	s.processing = true
	early := s.waiting
	s.waiting = nil
	for _, x := range early {
		s.handle(x.r, x.reply)
	}
}

// handle answers a request; what may block on ZooKeeper runs on a thread of its own. Kafka: KafkaApis.handle.
func (s *Server) handle(r request.Request, reply func(request.Response)) {
	if s.refuse(r, reply) {
		return
	}
	switch r := r.(type) {
	case request.UpdateMetadata:
		reply(s.broker.HandleUpdateMetadata(r))
	case request.LeaderAndIsr:
		s.thread(func() { reply(s.broker.HandleLeaderAndIsr(r)) })
	case request.StopReplica:
		s.thread(func() { reply(s.broker.HandleStopReplica(r)) })
	case request.Fetch:
		s.broker.HandleFetch(r, reply)
	case request.AlterIsr:
		s.alterIsr(r, reply)
	case request.ControlledShutdown:
		s.controller.ControlledShutdown(r, func(answer request.ControlledShutdownResponse) { reply(answer) })
	case request.CreateTopics:
		s.thread(func() { reply(s.admin.CreateTopics(s.controller.IsActive(), r)) })
	case request.DeleteTopics:
		s.thread(func() { reply(s.admin.DeleteTopics(s.controller.IsActive(), r)) })
	case request.ElectLeaders:
		s.electLeaders(r, reply)
	case request.AlterPartitionReassignments:
		s.alterReassignments(r, reply)
	case request.ListPartitionReassignments:
		s.listReassignments(r, reply)
	case request.UpdateFeatures:
		s.updateFeatures(r, reply)
	case request.Metadata:
		reply(s.metadata(r))
	case request.IncrementalAlterConfigs:
		s.thread(func() { reply(s.admin.IncrementalAlterConfigs(r)) })
	case request.AlterClientQuotas:
		s.thread(func() { reply(s.admin.AlterClientQuotas(r)) })
	case request.Produce:
		s.produce(r, reply)
	case request.CreatePartitions:
		s.thread(func() { reply(s.admin.CreatePartitions(s.controller.IsActive(), r)) })
	}
}

// alterIsr hands a leader's proposal to the controller. Kafka: KafkaApis.handleAlterIsrRequest.
func (s *Server) alterIsr(r request.AlterIsr, reply func(request.Response)) {
	if !s.controller.IsActive() {
		reply(request.AlterIsrResponse{Error: kafka.NOT_CONTROLLER})
		return
	}
	s.controller.AlterIsr(r, func(answer request.AlterIsrResponse) { reply(answer) })
}

// thread runs a request handler on a thread with the lowest free name: api-0, api-1, ...
func (s *Server) thread(body func()) {
	n := 0
	for s.handlers["api-"+strconv.Itoa(n)] {
		n++
	}
	name := "api-" + strconv.Itoa(n)
	s.handlers[name] = true
	s.e.Go(name, func() {
		body()
		delete(s.handlers, name)
	})
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
