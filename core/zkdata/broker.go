package zkdata

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
)

// BrokerInfo is a broker's registration. Kafka: BrokerInfo.
type BrokerInfo struct {
	kafka.Broker
	Features Features
	Version  int32 // 5; 4 below inter.broker.protocol.version 2.7-IV0
	JmxPort  int32 // -1 when JMX is off
}

// DefaultBrokerInfo is the registration of b at the protocol version of 2.8.2, without JMX.
func DefaultBrokerInfo(b kafka.Broker) BrokerInfo {
	return BrokerInfo{Broker: b, Features: Features{}, Version: 5, JmxPort: -1}
}

// EncodeBroker is the data of /brokers/ids/N. host and port are those of the first endpoint whose security protocol is
// PLAINTEXT, null and -1 if there is none. Kafka: BrokerIdZNode.encode.
func EncodeBroker(info BrokerInfo, timestampMS int64) []byte {
	b := []byte{'{'}
	if info.Version >= 5 {
		b = append(appendFeatures(append(b, `"features":`...), info.Features, "min_version", "max_version"), ',')
	}
	if info.Version >= 4 {
		b = append(b, `"listener_security_protocol_map":`...)
		b = appendList(b, '{', '}', info.Endpoints, func(b []byte, e kafka.Endpoint) []byte {
			return appendString(append(appendString(b, e.Listener), ':'), e.Protocol)
		})
		b = append(b, ',')
	}
	b = appendList(append(b, `"endpoints":`...), '[', ']', info.Endpoints, func(b []byte, e kafka.Endpoint) []byte {
		return appendString(b, connectionString(e))
	})
	if info.Rack != "" {
		b = appendString(append(b, `,"rack":`...), info.Rack)
	}
	b = appendInt(append(b, `,"jmx_port":`...), info.JmxPort)
	host, port := []byte("null"), int32(-1)
	for _, e := range info.Endpoints {
		if e.Protocol == "PLAINTEXT" {
			host, port = appendString(nil, e.Host), e.Port
			break
		}
	}
	b = appendInt(append(b, `,"port":`...), port)
	b = append(append(b, `,"host":`...), host...)
	b = appendInt(append(b, `,"version":`...), info.Version)
	b = appendInt(append(b, `,"timestamp":"`...), timestampMS)
	return append(b, `"}`...)
}

// connectionString prints an endpoint, an IPv6 address in brackets. Kafka: EndPoint.connectionString.
func connectionString(e kafka.Endpoint) string {
	host := e.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return e.Listener + "://" + host + ":" + strconv.Itoa(int(e.Port))
}

// DecodeBroker reads a registration of any version from 1 on. Text that is not JSON, a version below 1, an unreadable
// endpoint or two endpoints with one listener name are errors. Kafka: BrokerIdZNode.decode.
func DecodeBroker(id kafka.BrokerID, data []byte) (BrokerInfo, error) {
	info, err := decodeBroker(id, data)
	return info, at(BrokerIDPath(id), err)
}

func decodeBroker(id kafka.BrokerID, data []byte) (info BrokerInfo, err error) {
	o, ok, err := parseObject(data)
	if err == nil && !ok {
		err = errNotJSON
	}
	if err != nil {
		return info, err
	}
	info.ID = id
	if info.Version, err = o.int32("version"); err != nil {
		return info, err
	}
	if info.JmxPort, err = o.int32("jmx_port"); err != nil {
		return info, err
	}
	switch {
	case info.Version < 1:
		return info, fmt.Errorf("the version %d of the registration is not supported", info.Version)
	case info.Version == 1:
		info.Endpoints, err = endpointOfVersion1(o)
	default:
		info.Endpoints, err = endpointsOf(o)
	}
	if err != nil {
		return info, err
	}
	if o["rack"] != nil {
		if info.Rack, err = o.string("rack"); err != nil {
			return info, err
		}
	}
	features, err := o.object("features")
	if err != nil {
		return info, err
	}
	info.Features, err = asFeatures(features, "min_version", "max_version")
	return info, err
}

func endpointOfVersion1(o object) ([]kafka.Endpoint, error) {
	host, err := o.string("host")
	if err != nil {
		return nil, err
	}
	port, err := o.int32("port")
	return []kafka.Endpoint{{Listener: "PLAINTEXT", Protocol: "PLAINTEXT", Host: host, Port: port}}, err
}

func endpointsOf(o object) ([]kafka.Endpoint, error) {
	protocols, err := o.object("listener_security_protocol_map")
	if err != nil {
		return nil, err
	}
	listeners, err := o.list("endpoints")
	if err != nil {
		return nil, err
	}
	var endpoints []kafka.Endpoint
	seen := map[string]bool{}
	for _, l := range listeners {
		text, isString := l.(string)
		if !isString {
			return nil, errors.New(`the field "endpoints": expected a list of strings`)
		}
		e, err := ParseEndpoint(text)
		if err != nil {
			return nil, err
		}
		if protocols == nil {
			e.Protocol = e.Listener
		} else if e.Protocol, err = protocols.string(e.Listener); err != nil {
			return nil, fmt.Errorf("no security protocol for the listener %q: %w", e.Listener, err)
		}
		if seen[e.Listener] {
			return nil, fmt.Errorf("the listener name %q stands twice", e.Listener)
		}
		seen[e.Listener] = true
		endpoints = append(endpoints, e)
	}
	return endpoints, nil
}

// ParseEndpoint reads "LISTENER://host:port"; the listener name becomes upper case, the protocol stays empty.
// Kafka: EndPoint.createEndPoint.
func ParseEndpoint(s string) (kafka.Endpoint, error) {
	listener, host, digits, ok := splitEndpoint(s)
	if !ok {
		return kafka.Endpoint{}, fmt.Errorf("%q is not an endpoint: expected LISTENER://host:port", s)
	}
	port, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return kafka.Endpoint{}, fmt.Errorf("%q is not an endpoint: the port %s is too large", s, digits)
	}
	return kafka.Endpoint{Listener: strings.ToUpper(listener), Host: host, Port: int32(port)}, nil
}

// splitEndpoint matches s with Kafka's ^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)$ (EndPoint.uriParseExp). Package regexp
// would be a twentieth of the WASM build, for this one pattern.
func splitEndpoint(s string) (listener, host, port string, ok bool) {
	i, j := strings.LastIndex(s, "://"), strings.LastIndexByte(s, ':')
	if i < 0 || j < i+len("://") {
		return "", "", "", false
	}
	listener, port = s[:i], s[j+1:]
	host = strings.TrimSuffix(strings.TrimPrefix(s[i+len("://"):j], "["), "]")
	digits := strings.TrimPrefix(port, "-")
	ok = !strings.Contains(listener, "\n") && digits != "" && strings.Trim(digits, "0123456789") == "" &&
		!strings.ContainsFunc(host, func(r rune) bool {
			letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
			return !letter && !strings.ContainsRune("-%._:", r)
		})
	return listener, host, port, ok
}
