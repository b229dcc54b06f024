package server

import (
	"fmt"
	"strconv"

	"controllerscope/core/dynconfig"
	"controllerscope/core/kafka"
)

// settings are the entries of server.properties that this code reads, under Kafka's names and with Kafka's defaults.
type settings struct {
	sessionTimeoutMS   int32 // zookeeper.session.timeout.ms
	connectTimeoutMS   int64 // zookeeper.connection.timeout.ms; 0 is the session timeout
	maxInFlight        int   // zookeeper.max.in.flight.requests
	listener           string
	controlledShutdown bool // controlled.shutdown.enable
	shutdownRetries    int
	shutdownBackoffMS  int64
	socketTimeoutMS    int64 // controller.socket.timeout.ms
	lagTimeMaxMS       int64 // replica.lag.time.max.ms
	fetchBackoffMS     int64 // replica.fetch.backoff.ms
	numPartitions      int32
	replicationFactor  int16
	requestTimeoutMS   int64 // request.timeout.ms
	unclean            bool
	protocol           kafka.APIVersion // inter.broker.protocol.version
	deleteTopic        bool
	autoRebalance      bool
	imbalancePercent   int
	imbalanceSeconds   int64
	order              kafka.Order // scope.order, ours: sorted or scala
	denied             []string    // scope.deny, ours: operations on the cluster that the authorizer denies
	autoAlterIsr       bool        // scope.alterisr.auto, ours: followers fetch and leaders propose ISRs by themselves
}

// readers says how each entry is read. An entry that is not here is kept by nobody: Kafka accepts unknown names too.
func (s *settings) readers() map[string]reader {
	return map[string]reader{
		"zookeeper.session.timeout.ms":            number(&s.sessionTimeoutMS, 1),
		"zookeeper.connection.timeout.ms":         number(&s.connectTimeoutMS, 1),
		"zookeeper.max.in.flight.requests":        number(&s.maxInFlight, 1),
		"inter.broker.listener.name":              func(v string) error { s.listener = v; return nil },
		"controlled.shutdown.enable":              boolean(&s.controlledShutdown),
		"controlled.shutdown.max.retries":         number(&s.shutdownRetries, 0),
		"controlled.shutdown.retry.backoff.ms":    number(&s.shutdownBackoffMS, 0),
		"controller.socket.timeout.ms":            number(&s.socketTimeoutMS, 1),
		"replica.lag.time.max.ms":                 number(&s.lagTimeMaxMS, 1),
		"replica.fetch.backoff.ms":                number(&s.fetchBackoffMS, 0),
		"num.partitions":                          number(&s.numPartitions, 1),
		"default.replication.factor":              number(&s.replicationFactor, 1),
		"request.timeout.ms":                      number(&s.requestTimeoutMS, 1),
		"unclean.leader.election.enable":          boolean(&s.unclean),
		"delete.topic.enable":                     boolean(&s.deleteTopic),
		"auto.leader.rebalance.enable":            boolean(&s.autoRebalance),
		"leader.imbalance.per.broker.percentage":  number(&s.imbalancePercent, 0),
		"leader.imbalance.check.interval.seconds": number(&s.imbalanceSeconds, 1),
		"scope.alterisr.auto":                     boolean(&s.autoAlterIsr),
		"scope.deny":                              denied(&s.denied),
		"scope.order": func(v string) (err error) {
			s.order, err = kafka.ParseOrder(v)
			return err
		},
		"inter.broker.protocol.version": func(v string) (err error) {
			s.protocol, err = kafka.ParseAPIVersion(v)
			return err
		},
	}
}

// CheckProps says which entry of server.properties cannot be read, if any.
func CheckProps(props map[string]string) error {
	_, err := parseSettings(props)
	return err
}

func parseSettings(props map[string]string) (settings, error) {
	s := settings{sessionTimeoutMS: 18000, maxInFlight: 10, listener: "PLAINTEXT", controlledShutdown: true, shutdownRetries: 3,
		shutdownBackoffMS: 5000, socketTimeoutMS: 30000, lagTimeMaxMS: 30000, fetchBackoffMS: 1000, numPartitions: 1,
		replicationFactor: 1, requestTimeoutMS: 30000, deleteTopic: true, autoRebalance: true, imbalancePercent: 10,
		imbalanceSeconds: 300, autoAlterIsr: true, protocol: kafka.LatestAPIVersion()}
	readers := s.readers()
	for _, key := range kafka.SortedKeys(props) {
		if read := readers[key]; read != nil {
			if err := read(props[key]); err != nil {
				return s, fmt.Errorf("invalid value %s for configuration %s: %w", props[key], key, err)
			}
		} else if err := dynconfig.CheckBrokerValue(key, props[key]); err != nil {
			return s, err
		}
	}
	return s, nil
}

type reader func(value string) error

func number[N int | int16 | int32 | int64](into *N, least N) reader {
	return func(value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || int64(N(n)) != n {
			return fmt.Errorf("not a number of this type")
		}
		if N(n) < least {
			return fmt.Errorf("value must be at least %d", least)
		}
		*into = N(n)
		return nil
	}
}

func boolean(into *bool) reader {
	return func(value string) error {
		switch value {
		case "true", "false":
			*into = value == "true"
			return nil
		}
		return fmt.Errorf("expected value to be either true or false")
	}
}
