package server

import (
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// The topics whose partition counts the coordinators read at start. Kafka: Topic.GROUP_METADATA_TOPIC_NAME,
// TRANSACTION_STATE_TOPIC_NAME.
const (
	groupTopic       = "__consumer_offsets"
	transactionTopic = "__transaction_state"
)

// startup is the start-up thread. Whatever fails shuts down what has been started and ends the process.
// Kafka: KafkaServer.startup.
func (s *Server) startup() {
	err := s.bad
	for _, step := range []func() error{s.connect, s.initFeatures, s.readClusterID, s.readDynamicConfig, s.recoverLogs,
		s.startBroker, s.startController, s.startCoordinators, s.startConfig} {
		if err != nil {
			break
		}
		err = step()
	}
	s.starting = false
	if err != nil {
		s.shutdown()
		s.end(err.Error())
		return
	}
	s.complete = true
	s.setState(Running)
	s.open()
}

// connect opens the ZooKeeper session and makes sure of the paths that every broker needs. Kafka: initZkClient.
func (s *Server) connect() error {
	if err := s.zk.Connect(); err != nil {
		return err
	}
	return s.zk.CreateTopLevelPaths()
}

func (s *Server) initFeatures() error {
	if s.set.protocol < kafka.V2_7_IV0 {
		return nil
	}
	s.featuresUp = true
	ms := s.set.connectTimeoutMS
	if ms == 0 {
		ms = int64(s.set.sessionTimeoutMS)
	}
	return s.features.init(ms)
}

// readClusterID reads or draws the cluster's id and compares it with meta.properties: a broker whose logs are another
// cluster's does not start. Kafka: getOrGenerateClusterId, getBrokerMetadataAndOfflineDirs.
func (s *Server) readClusterID() error {
	id, found, err := s.zk.GetClusterID()
	if err == nil && !found {
		id, err = s.zk.CreateOrGetClusterID(s.e.NewUUID().String())
	}
	if err != nil {
		return err
	}
	if stored := s.cfg.Disk.ClusterID; stored != "" && stored != id {
		return fmt.Errorf("the cluster id %s doesn't match the stored cluster id %s in meta.properties: the broker is trying to join the wrong cluster", id, stored)
	}
	s.clusterID = id
	return nil
}

// readDynamicConfig reads the two levels of the broker's dynamic configuration. Kafka: DynamicBrokerConfig.initialize.
func (s *Server) readDynamicConfig() error {
	all, err := s.zk.GetEntityConfigs(zkdata.ConfigTypeBrokers, zkdata.DefaultEntity)
	if err != nil {
		return err
	}
	own, err := s.zk.GetEntityConfigs(zkdata.ConfigTypeBrokers, s.id)
	if err == nil {
		own, err = s.reencoded(own)
	}
	if err != nil {
		return err
	}
	return s.takeOver(all, own)
}

// reencoded has the broker's own passwords encrypted with the new secret when the old one is still configured, and tells
// everybody. Kafka: DynamicBrokerConfig.maybeReEncodePasswords.
func (s *Server) reencoded(own map[string]string) (map[string]string, error) {
	old := s.passwordEncoder("password.encoder.old.secret")
	if old == nil {
		return own, nil
	}
	own, found, err := old.Reencode(own, s.passwords)
	if err != nil || !found {
		return own, err
	}
	if err := s.zk.SetOrCreateEntityConfigs(zkdata.ConfigTypeBrokers, s.id, own); err != nil {
		return nil, err
	}
	return own, s.zk.CreateConfigChangeNotification(zkdata.ConfigTypeBrokers + "/" + s.id)
}

// recoverLogs enters RECOVERY, always, and reads the config of each topic, one after the other. Kafka: LogManager.startup.
func (s *Server) recoverLogs() error {
	s.setState(Recovery)
	topics, err := s.zk.GetAllTopicsInCluster(false)
	if err != nil {
		return err
	}
	for _, topic := range s.set.order.NameSet(topics) {
		if err := s.readTopicConfig(topic); err != nil {
			return err
		}
	}
	return nil
}

// startBroker starts the replica manager and registers the broker.
func (s *Server) startBroker() error {
	s.broker.Start()
	s.brokerUp = true
	if err := s.checkEndpoints(s.info.Endpoints); err != nil {
		return err
	}
	if _, err := s.register(); err != nil {
		return err
	}
	s.cfg.Disk.ClusterID = s.clusterID // checkpointBrokerMetadata
	return nil
}

// checkEndpoints refuses an address that another registered broker advertises. Kafka: KafkaServer.createBrokerInfo.
func (s *Server) checkEndpoints(endpoints []kafka.Endpoint) error {
	others, err := s.zk.GetAllBrokersInCluster()
	if err != nil {
		return err
	}
	own := addresses(endpoints)
	for _, other := range others {
		if other.ID == s.cfg.ID {
			continue
		}
		common := slices.DeleteFunc(addresses(other.Endpoints), func(a string) bool { return !slices.Contains(own, a) })
		if len(common) > 0 {
			return fmt.Errorf("configured end points %s in advertised listeners are already registered by broker %d",
				strings.Join(common, ","), other.ID)
		}
	}
	return nil
}

func addresses(endpoints []kafka.Endpoint) []string {
	out := make([]string, len(endpoints))
	for i, e := range endpoints {
		out[i] = fmt.Sprintf("%s:%d", e.Host, e.Port)
	}
	return out
}

func (s *Server) startController() error {
	s.controllerUp = true
	s.controller.Startup()
	return nil
}

// startCoordinators reads what the group and the transaction coordinator read, and claims a block of producer ids.
func (s *Server) startCoordinators() error {
	if _, _, err := s.zk.GetTopicPartitionCount(groupTopic); err != nil {
		return err
	}
	if _, err := s.zk.NewProducerIDBlock(s.cfg.ID); err != nil {
		return err
	}
	_, _, err := s.zk.GetTopicPartitionCount(transactionTopic)
	return err
}

// startConfig starts what listens to notifications. Kafka: KafkaServer.startup, from the authorizer on.
func (s *Server) startConfig() error {
	s.configUp = true
	for _, c := range s.changes {
		if err := c.Startup(); err != nil {
			return err
		}
	}
	return s.config.Startup()
}
