package dynconfig

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// kafka-znodes-and-config.md 3.3, the table of malformed payloads.
func TestDecodeNotice(t *testing.T) {
	for _, c := range []struct {
		data string
		want notice
		ok   bool
		err  string
	}{
		{`{"version":2,"entity_path":"topics/orders"}`, notice{"topics", "orders"}, true, ""},
		{`{"version":2,"entity_path":"users/alice/clients/app-1"}`, notice{"users", "alice/clients/app-1"}, true, ""},
		{`{"version":2,"entity_path":"brokers/<default>"}`, notice{"brokers", "<default>"}, true, ""},
		{`{"version":1,"entity_type":"topics","entity_name":"orders"}`, notice{"topics", "orders"}, true, ""},
		{`not json`, notice{}, false, ""},
		{``, notice{}, false, "is empty"},
		{`[]`, notice{}, false, "unexpected value"},
		{`7`, notice{}, false, "unexpected value"},
		{`{"entity_path":"topics/orders"}`, notice{}, false, "no whole number as its version"},
		{`{"version":"2","entity_path":"topics/orders"}`, notice{}, false, "no whole number as its version"},
		{`{"version":3,"entity_path":"topics/orders"}`, notice{}, false, "version 3 is not supported"},
		{`{"version":1,"entity_type":"users","entity_name":"alice"}`, notice{}, false, "'entity_type'"},
		{`{"version":1,"entity_type":null,"entity_name":"orders"}`, notice{}, false, "'entity_type'"},
		{`{"version":1,"entity_type":"topics"}`, notice{}, false, "'entity_name'"},
		{`{"version":2}`, notice{}, false, "'entity_path'"},
		{`{"version":2,"entity_path":null}`, notice{}, false, "'entity_path'"},
		{`{"version":2,"entity_path":"planets/mars"}`, notice{}, false, "starting with one of topics, clients, users, brokers, ips"},
		{`{"version":2,"entity_path":"topics"}`, notice{}, false, "starting with one of"},
		{`{"version":2,"entity_path":"topics/"}`, notice{}, false, "names no entity"},
	} {
		n, ok, err := decodeNotice([]byte(c.data))
		require.Equal(t, c.ok, ok, c.data)
		if c.ok {
			require.Equal(t, c.want, n, c.data)
		}
		if c.err == "" {
			require.NoError(t, err, c.data)
		} else {
			require.ErrorContains(t, err, c.err, c.data)
		}
	}
}

// 2.8.2 takes the number from after the prefix's length, whatever stands before it (3.3); after the wrap of ZooKeeper's
// counter names are negative and never carried out (3.4).
func TestNoticeNumber(t *testing.T) {
	l := &listener{root: "/config/changes", prefix: "config_change_"}
	for name, want := range map[string]int64{"config_change_0000000007": 7, "another_name_x0000000042": 42, "config_change_-2147483648": -2147483648} {
		n, err := l.number(name)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	_, err := l.number("foo")
	require.EqualError(t, err, "the name of /config/changes/foo is shorter than config_change_: it carries no number")
	_, err = l.number("config_change_x")
	require.EqualError(t, err, `/config/changes/config_change_x: "x" is not the number of a notification`)
}
