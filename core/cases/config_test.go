package cases

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/dynconfig"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// The cases of Kafka's DynamicConfigChangeTest, DynamicConfigTest and AdminZkClientTest that are about what brokers apply.

// DYN-01: a change of a topic's config reaches the broker.
func TestDYN_01(t *testing.T) {
	cluster(t, 1).play(`
		topic create test [0] config flush.messages=100000
		until idle
		expect zk[/config/topics/test].data.config[flush.messages] = 100000
		config set topics/test flush.messages=200000
		until idle
		expect config[0].topics.test[flush.messages] = 200000`)
}

// quotas sets the producer's and the consumer's quota of an entity, then removes them: what user and client may do.
func quotas(t *testing.T, entity, user, client string) {
	s := cluster(t, 1)
	limit := func(key string) float64 {
		n, _, found := s.World().Server(0).Config().Quota(user, client, key)
		if !found {
			return -1
		}
		return n
	}
	s.play("config set " + entity + " producer_byte_rate=1000 consumer_byte_rate=2000\nuntil idle")
	require.EqualValues(t, 1000, limit("producer_byte_rate"))
	require.EqualValues(t, 2000, limit("consumer_byte_rate"))
	s.play("config delete " + entity + " producer_byte_rate consumer_byte_rate\nuntil idle")
	require.EqualValues(t, -1, limit("producer_byte_rate"), "unlimited")
	require.EqualValues(t, -1, limit("consumer_byte_rate"), "unlimited")
}

// DYN-03 to DYN-07: quotas of a client id, a user, a user with a client, every client, every user.
func TestDYN_03(t *testing.T) { quotas(t, "clients/testClient", "ANONYMOUS", "testClient") }
func TestDYN_04(t *testing.T) { quotas(t, "users/ANONYMOUS", "ANONYMOUS", "testClient") }
func TestDYN_05(t *testing.T) {
	quotas(t, "users/ANONYMOUS/clients/testClient", "ANONYMOUS", "testClient")
}
func TestDYN_06(t *testing.T) { quotas(t, "clients/<default>", "ANONYMOUS", "testClient") }
func TestDYN_07(t *testing.T) { quotas(t, "users/<default>", "ANONYMOUS", "testClient") }

// DYN-11: quotas of ips are loaded at start.
func TestDYN_11(t *testing.T) {
	s := cluster(t, 1)
	s.play(`
		config set ips/<default> connection_creation_rate=20
		config set ips/1.2.3.4 connection_creation_rate=10
		until idle
		broker stop 0
		until idle
		zk delete /config/changes/config_change_0000000000
		zk delete /config/changes/config_change_0000000001
		until idle
		broker start 0
		until idle`)
	for ip, want := range map[string]int64{"1.2.3.4": 10, "2.4.6.8": 20} {
		rate, found := s.World().Server(0).Config().ConnectionRateOf(ip)
		require.True(t, found)
		require.Equal(t, want, rate)
	}
}

// DYN-16: a list of throttled replicas: the entries of one broker.
func TestDYN_16(t *testing.T) {
	config := map[string]string{dynconfig.LeaderThrottledReplicas: "0:101,0:102,1:101,1:102"}
	got, marked, err := dynconfig.ThrottleOf(config, dynconfig.LeaderThrottledReplicas, 102)
	require.NoError(t, err)
	require.True(t, marked)
	require.Equal(t, dynconfig.Throttle{Partitions: []int32{0, 1}}, got)
	got, _, err = dynconfig.ThrottleOf(config, dynconfig.LeaderThrottledReplicas, 103)
	require.NoError(t, err)
	require.Empty(t, got.Partitions)
	require.False(t, got.All)
}

// DYN-17: the wildcard.
func TestDYN_17(t *testing.T) {
	got, _, err := dynconfig.ThrottleOf(map[string]string{dynconfig.LeaderThrottledReplicas: "*"}, dynconfig.LeaderThrottledReplicas, 102)
	require.NoError(t, err)
	require.True(t, got.All)
}

// refusedQuota holds that a quota is refused and not stored. Kafka's cases ask the class that writes it; over the API
// every refusal is INVALID_REQUEST.
func refusedQuota(t *testing.T, entityType, configType, name, key string, value float64) {
	s := cluster(t, 1)
	answer := ask[request.EntityResponse](s, request.AlterClientQuotas{Entries: []request.AlterQuotas{
		{Entity: []request.QuotaEntity{{Type: entityType, Name: name}}, Ops: []request.QuotaOp{{Key: key, Value: value}}}}})
	require.Len(t, answer.Entities, 1)
	require.Equal(t, kafka.INVALID_REQUEST, answer.Entities[0].Error)
	require.NotEmpty(t, answer.Entities[0].Message)
	s.play("expect not exists(zk[/config/" + configType + "/" + name + "])")
}

// DYN-10: an ip config for a name that cannot be resolved.
func TestDYN_10(t *testing.T) {
	refusedQuota(t, "ip", "ips", "illegal-hostname", "connection_creation_rate", 2)
}

// DYN-20, DYN-21: unknown keys of a client and of a user.
func TestDYN_20(t *testing.T) {
	refusedQuota(t, "client-id", "clients", "ClientId", "some.config.that.does.not.exist", 1)
}
func TestDYN_21(t *testing.T) {
	refusedQuota(t, "user", "users", "UserId", "some.config.that.does.not.exist", 1)
}

// DYN-22: a negative throttle rate.
func TestDYN_22(t *testing.T) {
	s := cluster(t, 1)
	out := s.World().AskBroker(0, request.IncrementalAlterConfigs{Resources: []request.AlterConfigs{
		{Type: "brokers", Name: "0", Ops: []request.ConfigOp{{Key: "leader.replication.throttled.rate", Value: "-100"}}}}}, "brokers/0")
	s.play("until idle\nexpect not exists(zk[/config/brokers/0])")
	require.True(t, out.Done)
	answer := out.Answer.(request.EntityResponse)
	require.NotEqual(t, kafka.NONE, answer.Entities[0].Error)
	require.Contains(t, answer.Entities[0].Message, "Value must be at least 0")
}

// DYN-24: a negative connection rate.
func TestDYN_24(t *testing.T) {
	refusedQuota(t, "ip", "ips", "1.2.3.4", "connection_creation_rate", -1)
}

// DYN-25: a malformed ip.
func TestDYN_25(t *testing.T) { refusedQuota(t, "ip", "ips", "1,1.1.1", "connection_creation_rate", 2) }

// ADM-07: replication throttles of brokers reach every broker.
func TestADM_07(t *testing.T) {
	s := cluster(t, 3)
	for _, rate := range []int{1000000, 2000000, 0} {
		for id := range 3 {
			if rate == 0 {
				s.play(fmt.Sprintf("config delete brokers/%d leader.replication.throttled.rate follower.replication.throttled.rate", id))
			} else {
				s.play(fmt.Sprintf("config set brokers/%d leader.replication.throttled.rate=%d follower.replication.throttled.rate=%[2]d", id, rate))
			}
		}
		s.play("until idle")
		for id := range 3 {
			for _, key := range []string{"leader.replication.throttled.rate", "follower.replication.throttled.rate"} {
				got := s.World().Server(kafka.BrokerID(id)).Config().Config("brokers", fmt.Sprint(id))[key]
				stored := fmt.Sprintf("zk[/config/brokers/%d].data.config[%s]", id, key)
				if rate == 0 {
					require.Empty(t, got)
					s.play("expect not exists(" + stored + ")")
				} else {
					require.Equal(t, fmt.Sprint(rate), got)
					s.play(fmt.Sprintf("expect %s = '%d'", stored, rate))
				}
			}
		}
	}
}

// ADM-08: quotas that were written without a notification are loaded at start.
func TestADM_08(t *testing.T) {
	s := tell(t, `
		cluster brokers=0
		zk create /config
		zk create /config/clients
		zk create /config/clients/my-client {"version":1,"config":{"producer_byte_rate":"1000","consumer_byte_rate":"2000"}}
		until idle
		broker start 0
		until idle
		expect count(config[0].clients) = 1`)
	for key, want := range map[string]float64{"producer_byte_rate": 1000, "consumer_byte_rate": 2000} {
		n, entity, found := s.World().Server(0).Config().Quota("ANONYMOUS", "my-client", key)
		require.True(t, found)
		require.Equal(t, want, n)
		require.Equal(t, "clients/my-client", entity)
	}
}
