package server

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"controllerscope/core/dynconfig"
	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// dynamicConfig is the broker's configuration with its three levels. Kafka: DynamicBrokerConfig.
type dynamicConfig struct {
	all, own map[string]string // the usable part of what ZooKeeper holds, last heard of
	current  map[string]string // what is in effect: the levels as they last fitted together
}

// passwordEncoder encodes with what server.properties has under secret; nil when it has nothing.
// Kafka: DynamicBrokerConfig.maybeCreatePasswordEncoder.
func (s *Server) passwordEncoder(secret string) *dynconfig.PasswordEncoder {
	return dynconfig.NewPasswordEncoder(s.cfg.Props, secret, func(n int) (out []byte) {
		for len(out) < n {
			id := s.e.NewUUID()
			out = append(out, id[:]...)
		}
		return out[:n]
	})
}

// configHandlers act on what dynamic configuration brings. Quotas need none: they are looked up where they are kept.
// Kafka: KafkaServer.dynamicConfigHandlers.
func (s *Server) configHandlers() map[string]dynconfig.Handler {
	return map[string]dynconfig.Handler{zkdata.ConfigTypeTopics: s.topicConfigChanged, zkdata.ConfigTypeBrokers: s.brokerConfigChanged,
		zkdata.ConfigTypeIPs: ipConfigChanged}
}

// ipConfigChanged refuses the name of no address. Kafka: IpConfigHandler.processConfigChanges.
func ipConfigChanged(ip string, _ map[string]string) error {
	if !dynconfig.ValidIP(ip) {
		return fmt.Errorf("unable to resolve the address %s", ip)
	}
	return nil
}

// topicConfigChanged tells the logs that are being created, reads the throttled replicas, then permits unclean elections. A list that cannot be read ends it, and
// nobody hears of the permission. Kafka: TopicConfigHandler.processConfigChanges.
func (s *Server) topicConfigChanged(topic string, config map[string]string) error {
	s.broker.TopicConfigUpdated(topic)
	if err := dynconfig.CheckThrottles(config, s.cfg.ID); err != nil {
		return err
	}
	if strings.EqualFold(config[dynconfig.UncleanLeaderElection], "true") {
		s.controller.EnableTopicUncleanLeaderElection(topic)
	}
	return nil
}

// brokerConfigChanged replaces one level and acts on what is different then. Levels that do not fit together stay, and
// what was in effect stays in effect. Kafka: BrokerConfigHandler.processConfigChanges, DynamicBrokerConfig.updateCurrentConfig.
func (s *Server) brokerConfigChanged(entity string, config map[string]string) error {
	usable, dropped := dynconfig.UsableBroker(config, entity != zkdata.DefaultEntity, s.passwords)
	if len(dropped) > 0 && s.e.Tracing() {
		s.e.Note(env.Note{Kind: env.NoticeSkip, Entity: "brokers/" + entity, Msg: "server.config.dropped",
			Args: []env.Arg{env.A("entity", entity), env.A("keys", env.Strings(dropped))}})
	}
	old := s.layers()
	if entity == zkdata.DefaultEntity {
		s.dynamic.all = usable
	} else {
		s.dynamic.own = usable
	}
	before, after := s.dynamic.current, s.effective(s.dynamic)
	endpoints, err := s.endpointsOf(after)
	if err == nil {
		err = dynconfig.CheckThreads(before, after)
	}
	if err == nil {
		s.dynamic.current = after
	}
	s.noteLayers(entity, old)
	if err != nil {
		return err
	}
	s.controller.SetUncleanLeaderElection(strings.EqualFold(after[dynconfig.UncleanLeaderElection], "true"))
	for _, key := range []string{dynconfig.Listeners, dynconfig.AdvertisedListeners, dynconfig.ProtocolMap} {
		if before[key] != after[key] {
			return s.rewriteRegistration(endpoints)
		}
	}
	return nil
}

// takeOver makes the levels read at start-up the current ones, before anything acts on changes.
func (s *Server) takeOver(all, own map[string]string) error {
	s.dynamic.all, _ = dynconfig.UsableBroker(all, false, s.passwords)
	s.dynamic.own, _ = dynconfig.UsableBroker(own, true, s.passwords)
	s.dynamic.current = s.effective(s.dynamic)
	s.noteLayers(s.id, nil)
	s.controller.SetUncleanLeaderElection(strings.EqualFold(s.dynamic.current[dynconfig.UncleanLeaderElection], "true"))
	endpoints, err := s.endpointsOf(s.dynamic.current)
	s.info.Endpoints = endpoints
	return err
}

func (s *Server) effective(d dynamicConfig) map[string]string {
	return dynconfig.EffectiveBroker(s.cfg.Props, d.all, d.own)
}

// validateBroker says why a dynamic config cannot be for this process. Kafka: DynamicBrokerConfig.validate.
func (s *Server) validateBroker(config map[string]string, perBroker bool) error {
	if err := dynconfig.CheckBroker(config, perBroker); err != nil {
		return err
	}
	next := s.dynamic
	if perBroker {
		next.own = config
	} else {
		next.all = config
	}
	after := s.effective(next)
	if _, err := s.endpointsOf(after); err != nil {
		return err
	}
	return dynconfig.CheckThreads(s.dynamic.current, after)
}

// rewriteRegistration looks for its endpoints among the other brokers' and writes the registration anew, whose owner and
// broker epoch stay. Kafka: DynamicListenerConfig.reconfigure, KafkaController.updateBrokerInfo.
func (s *Server) rewriteRegistration(endpoints []kafka.Endpoint) error {
	if err := s.checkEndpoints(endpoints); err != nil {
		return err
	}
	s.info.Endpoints = endpoints
	return s.zk.UpdateBrokerInfo(s.info)
}

// endpointsOf are the endpoints that a configuration advertises: advertised.listeners, else listeners, else those that
// the process was started with. Kafka: KafkaConfig.effectiveAdvertisedListeners, DynamicListenerConfig.validateReconfiguration.
func (s *Server) endpointsOf(config map[string]string) ([]kafka.Endpoint, error) {
	advertised, given := config[dynconfig.AdvertisedListeners]
	if !given {
		advertised, given = config[dynconfig.Listeners]
	}
	if !given {
		return s.cfg.Endpoints, nil
	}
	protocols, err := protocolMap(config[dynconfig.ProtocolMap])
	if err != nil {
		return nil, err
	}
	endpoints, err := parseListeners(advertised, protocols)
	if err != nil {
		return nil, err
	}
	if listeners, found := config[dynconfig.Listeners]; found {
		open, err := parseListeners(listeners, protocols)
		if err != nil {
			return nil, err
		}
		for _, e := range endpoints {
			if !hasListener(open, e.Listener) {
				return nil, fmt.Errorf("Advertised listeners '%s' must be a subset of listeners '%s'", advertised, listeners)
			}
		}
	}
	if !hasListener(endpoints, s.set.listener) {
		return nil, fmt.Errorf("Advertised listener must be specified for inter-broker listener %s", s.set.listener)
	}
	return endpoints, nil
}

func hasListener(endpoints []kafka.Endpoint, name string) bool {
	return slices.ContainsFunc(endpoints, func(e kafka.Endpoint) bool { return e.Listener == name })
}

// protocolMap reads listener.security.protocol.map: NAME:PROTOCOL,...; by default each protocol's name is a listener.
func protocolMap(text string) (map[string]string, error) {
	protocols := map[string]string{}
	for _, p := range []string{"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"} {
		protocols[p] = p
	}
	if text == "" {
		return protocols, nil
	}
	known := maps.Clone(protocols)
	clear(protocols)
	for _, item := range strings.Split(text, ",") {
		name, protocol, found := strings.Cut(strings.TrimSpace(item), ":")
		if !found || known[protocol] == "" {
			return nil, fmt.Errorf("Invalid value %s for configuration %s: expected LISTENER:PROTOCOL", item, dynconfig.ProtocolMap)
		}
		protocols[name] = protocol
	}
	return protocols, nil
}

// parseListeners reads NAME://host:port,... Kafka: CoreUtils.listenerListToEndPoints.
func parseListeners(text string, protocols map[string]string) (out []kafka.Endpoint, err error) {
	for _, item := range strings.Split(text, ",") {
		name, address, found := strings.Cut(strings.TrimSpace(item), "://")
		colon := strings.LastIndexByte(address, ':')
		if !found || colon < 0 {
			return nil, fmt.Errorf("Unable to parse %s to a broker endpoint: expected LISTENER://HOST:PORT", item)
		}
		port, err := strconv.ParseInt(address[colon+1:], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("Unable to parse %s to a broker endpoint: %q is not a port", item, address[colon+1:])
		}
		name = strings.ToUpper(name)
		protocol := protocols[name]
		switch {
		case protocol == "":
			return nil, fmt.Errorf("No security protocol defined for listener %s", name)
		case hasListener(out, name):
			return nil, fmt.Errorf("Each listener must have a different name, listeners: %s", text)
		}
		host := strings.Trim(address[:colon], "[]")
		out = append(out, kafka.Endpoint{Listener: name, Protocol: protocol, Host: host, Port: int32(port)})
	}
	return out, nil
}
