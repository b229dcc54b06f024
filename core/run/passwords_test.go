package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/run"
)

// secretsOfSetup begin before the recording, so that its first document shows what is left of them.
const secretsOfSetup = `cluster brokers=0,1 auto.leader.rebalance.enable=false password.encoder.secret=hush-1 password.encoder.iterations=1024 listener.name.ext.ssl.key.password=hush-2 delegation.token.master.key=hush-3
broker start 0
until idle
broker start 1
until idle
config set brokers/0 listener.name.ext.ssl.keystore.password=hush-4
until idle
config set brokers/1 listener.name.ext.ssl.keystore.password=hush-5
`

// secrets are passwords that are set, changed, deleted, refused, encrypted anew with another secret, and lost with it.
const secrets = `until idle
config set brokers/0 listener.name.ext.ssl.keystore.password=hush-6 log.cleaner.threads=2
hold net.admin>0
config set brokers/0 listener.name.ext.scram-sha-256.sasl.jaas.config=hush-7
release net.admin>0
until idle
config set brokers/0 ssl.truststore.password=hush-8
config set brokers/<default> listener.name.ext.ssl.key.password=hush-9
config set brokers/0 log.cleaner.threads=none listener.name.ext.ssl.key.password=hush-10
config delete brokers/0 listener.name.ext.scram-sha-256.sasl.jaas.config
until idle
broker stop 0
until idle
broker config 0 password.encoder.secret=hush-11 password.encoder.old.secret=hush-1
broker start 0
until idle
broker stop 0
until idle
broker config 0 password.encoder.secret=hush-12 password.encoder.old.secret=hush-13
broker start 0
until idle
`

// Nobody reads a password in a recording: requests name the keys that they change, a znode and who applied it have what Kafka
// encrypted, the layers of a config say [hidden]. Setup and script are the reader's own text and stay as they are, or the
// recording could not be executed again.
func TestPasswordsAreNotRecorded(t *testing.T) {
	r := start(t, run.Inputs{Name: t.Name(), Setup: secretsOfSetup, Script: secrets}, run.Options{})
	require.NoError(t, r.Finish())
	tr := *r.Trace()
	require.Contains(t, string(tr.JSON()), "hush-7", "the script itself")
	tr.Setup, tr.Script = nil, ""
	for form, text := range map[string]string{"JSON": string(tr.JSON()), "packed": string(tr.Pack())} {
		at := strings.Index(text, "hush-")
		if at >= 0 {
			t.Errorf("%s: …%s…", form, text[max(0, at-200):min(len(text), at+100)])
		}
		require.Equal(t, 3, strings.Count(text, `{"key":"admin.refused"`), "without a listener, for all brokers, beside a value that is no number")
		for _, part := range []string{`"keys":["listener.name.ext.scram-sha-256.sasl.jaas.config"]`, `[hidden]`, `encryptedPassword:`, `"server.config.dropped"`} {
			require.Contains(t, text, part, form)
		}
	}
}
