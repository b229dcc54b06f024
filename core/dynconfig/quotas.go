package dynconfig

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"controllerscope/core/kafka"
	"controllerscope/core/zkdata"
)

// quotaConfigs are the quotas of users and clients. Kafka: DynamicConfig.Client.
var quotaConfigs = definitions{"producer_byte_rate": long(anyInt), "consumer_byte_rate": long(anyInt),
	"request_percentage": double(-1e308, 1e308), "controller_mutation_rate": double(-1e308, 1e308)}

// ipConfigs are those of ips. Kafka: DynamicConfig.Ip.
var ipConfigs = definitions{ConnectionRate: integer(0)}

// ConnectionRate limits the new connections of an ip per second.
const ConnectionRate = "connection_creation_rate"

// quotaTypes says which quotas are whole numbers of how many bits; 0 is a DOUBLE.
var quotaTypes = map[string]int{"producer_byte_rate": 64, "consumer_byte_rate": 64, "request_percentage": 0,
	"controller_mutation_rate": 0, ConnectionRate: 32}

// QuotaValue is how a quota is stored: a whole number without a fraction, a DOUBLE as Java prints it. known is false for
// a quota that this entity type does not have. Kafka: ZkAdminManager.alterClientQuotas.
func QuotaValue(entityType, key string, value float64) (text string, known bool, err error) {
	defined := quotaConfigs
	if entityType == zkdata.ConfigTypeIPs {
		defined = ipConfigs
	}
	if _, known := defined[key]; !known {
		return "", false, nil
	}
	const epsilon = 1e-6
	bits := quotaTypes[key]
	if bits == 0 {
		return javaDouble(value), true, nil
	}
	n := int64(value + epsilon)
	if d := float64(n) - value; d > epsilon || d < -epsilon {
		return "", true, fmt.Errorf("Configuration %s must be a %s value", key, map[int]string{32: "Int", 64: "Long"}[bits])
	}
	return strconv.FormatInt(n, 10), true, nil
}

// javaDouble prints as Java's Double.toString does: always with a fraction, in computerised scientific notation below
// 10^-3 and from 10^7 on.
func javaDouble(f float64) string {
	a := f
	if a < 0 {
		a = -a
	}
	if a != 0 && (a < 1e-3 || a >= 1e7) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		n, _ := strconv.Atoi(exponent)
		return mantissa + "E" + strconv.Itoa(n)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// CheckQuotas says what is wrong with the whole config of a user, client or ip. Kafka: AdminZkClient.changeConfigs.
func CheckQuotas(entityType, entity string, config map[string]string) error {
	defined, scram := quotaConfigs, false
	switch entityType {
	case zkdata.ConfigTypeIPs:
		if !ValidIP(entity) {
			return fmt.Errorf("%s is not a valid IP or resolvable host.", entity)
		}
		defined = ipConfigs
	case zkdata.ConfigTypeUsers:
		scram = entity != zkdata.DefaultEntity && !strings.Contains(entity, "/clients")
	}
	for _, key := range kafka.SortedKeys(config) {
		_, known := defined[key]
		if !known && !(scram && strings.HasPrefix(key, "SCRAM-SHA-")) {
			return fmt.Errorf("Unknown Dynamic Configuration: Set(%s).", key)
		}
	}
	return defined.check(config)
}

// ValidIP reports whether an ip entity can exist: the default, an address, or localhost, which needs no name server.
// Kafka: DynamicConfig.Ip.isValidIpEntity.
func ValidIP(entity string) bool {
	if entity == zkdata.DefaultEntity || entity == "localhost" {
		return true
	}
	_, err := netip.ParseAddr(entity)
	return err == nil
}

// Quota is the limit for a client of a user, and the entity that sets it, the most specific first; found is false when
// there is no limit. user and clientID are sanitised. Kafka: ClientQuotaManager.DefaultQuotaCallback.
func (m *Manager) Quota(user, clientID, key string) (value float64, entity string, found bool) {
	for _, entity := range quotaEntities(user, clientID) {
		entityType, name, _ := strings.Cut(entity, "/")
		if n, err := strconv.ParseFloat(m.applied[entityType][name][key], 64); err == nil {
			return n, entity, true
		}
	}
	return 0, "", false
}

// ReplicationRate is a throttle rate of this broker in bytes per second, found is false for unlimited. That of all brokers
// does not count. Kafka: BrokerConfigHandler.processConfigChanges.
func (m *Manager) ReplicationRate(key string) (rate int64, found bool) {
	n, err := strconv.ParseInt(m.applied[zkdata.ConfigTypeBrokers][m.id.String()][key], 10, 64)
	return n, err == nil
}

// ConnectionRateOf is the limit for an ip: its own, else the default one. Kafka: ConnectionQuotas.connectionRateForIp.
func (m *Manager) ConnectionRateOf(ip string) (rate int64, found bool) {
	for _, entity := range []string{ip, zkdata.DefaultEntity} {
		if n, err := strconv.ParseInt(m.applied[zkdata.ConfigTypeIPs][entity][ConnectionRate], 10, 32); err == nil {
			return n, true
		}
	}
	return 0, false
}
