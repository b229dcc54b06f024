package kafkaplay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The examples of FORMAT.md, Raw bytes, as real brokers wrote them.
func TestRawForms(t *testing.T) {
	for path, data := range map[string]string{
		"/admin/reassign_partitions":                         `{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[2,3]},{"topic":"t","partition":1,"replicas":[2,3]}]}`,
		"/brokers/ids/2":                                     `{"features":{},"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT","EXTRA":"PLAINTEXT"},"endpoints":["PLAINTEXT://127.0.0.1:23832","EXTRA://127.0.0.1:29302"],"jmx_port":-1,"port":23832,"host":"127.0.0.1","version":5,"timestamp":"1795980584665"}`,
		"/brokers/topics/t":                                  `{"partitions":{"11":[4,3],"0":[1,2]},"topic_id":"p9ai1fwQQtqk8MSArvIu-w","adding_replicas":{},"removing_replicas":{},"version":3}`,
		"/brokers/topics/t/partitions/0/state":               `{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":1,"isr":[1,2,3,4]}`,
		"/cluster/id":                                        `{"version":"1","id":"Hzvog2WQRpa76HbTpr9boA"}`,
		"/config/brokers/2":                                  `{"version":1,"config":{"listeners":"PLAINTEXT://127.0.0.1:29102,EXTRA://127.0.0.1:29302"}}`,
		"/config/changes/config_change_0000000000":           `{"version":2,"entity_path":"users/alice/clients/app-1"}`,
		"/config/users/alice/clients/app-1":                  `{"version":1,"config":{"request_percentage":"50.0"}}`,
		"/controller":                                        `{"version":1,"brokerid":1,"timestamp":"1795980391771"}`,
		"/controller_epoch":                                  `100`,
		"/feature":                                           `{"features":{},"version":1,"status":0}`,
		"/isr_change_notification/isr_change_0000000000":     `{"version":1,"partitions":[{"topic":"t","partition":0}]}`,
		"/latest_producer_id_block":                          `{"version":1,"broker":2,"block_start":"1000","block_end":"1999"}`,
		"/log_dir_event_notification/log_dir_event_00000000": `{"version":1,"broker":2,"event":1}`,
	} {
		found := 0
		for _, f := range forms {
			if f.path.MatchString(path) {
				found++
				require.Regexp(t, f.data, data)
				require.NotRegexp(t, f.data, data+"\n", "no trailing newline")
				require.NotRegexp(t, f.data, " "+data)
			}
		}
		require.Equal(t, 1, found, path)
	}
}
