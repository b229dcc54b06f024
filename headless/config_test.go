package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigExplain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(file, []byte(`cluster brokers=0,1 log.cleaner.threads=4
broker start 0
until idle
broker start 1
until idle
config set brokers/<default> log.cleaner.threads=5
config set brokers/1 my.plugin.token=abc
until idle
zk set /config/brokers/1 {"version":1,"config":{"log.cleaner.threads":"6","my.plugin.token":"abc"}}
until idle
`), 0o600))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"broker", "1", "log.cleaner.threads", "-f", file}, exitOK, `brokers/1 log.cleaner.threads (cluster-wide)
  wins DYNAMIC_DEFAULT_BROKER_CONFIG:log.cleaner.threads=5
       STATIC_BROKER_CONFIG:log.cleaner.threads=4
       DEFAULT_CONFIG:log.cleaner.threads=1
  ZooKeeper holds DYNAMIC_BROKER_CONFIG:log.cleaner.threads=6; the broker has not heard of it
`},
		{[]string{"broker", "1", "my.plugin.token", "-f", file}, exitOK, "brokers/1 my.plugin.token (not a config of Kafka)\n  wins DYNAMIC_BROKER_CONFIG:my.plugin.token=[hidden]\n"},
		{[]string{"topic", "t", "retention.ms", "-f", file}, exitOK, "topics/t retention.ms\n  wins DEFAULT_CONFIG:log.retention.hours=168\n"},
		{[]string{"broker", "x", "log.cleaner.threads", "-f", file}, exitUsage, "headless: config explain: \"x\" is not a broker id\n"},
		{[]string{"broker", "7", "log.cleaner.threads", "-f", file}, exitUsage, "headless: config explain: broker 7 does not run at the end of the script\n"},
		{[]string{"planet", "7", "k", "-f", file}, exitUsage, "headless: config explain: \"planet\" is no type of entity; write broker, topic, user, client or ip\n"},
		{[]string{"broker", "1", "k"}, exitUsage, "headless: config explain: give one of -f SCRIPT, --load TREE and --zk HOST:PORT/CHROOT\n"},
	} {
		var out bytes.Buffer
		require.Equal(t, c.code, configCommand(append([]string{"explain"}, c.args...), &out, &out), "%v", c.args)
		require.Equal(t, c.want, out.String(), "%v", c.args)
	}
}
