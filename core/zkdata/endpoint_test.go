package zkdata

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// kafkaEndpoint is EndPoint.uriParseExp of Kafka 2.8.2.
var kafkaEndpoint = regexp.MustCompile(`^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)$`)

// FuzzSplitEndpoint compares with Kafka's own pattern.
func FuzzSplitEndpoint(f *testing.F) {
	for _, s := range []string{"PLAINTEXT://host:9092", "SSL://[::1]:-1", "a://b://c:1", "x://:0", "x:/y:1", "://:1", "x://h:", "x://h:-", "x://h:+1",
		"x\ny://h:1", "x://[h]]:1", "x://[[h]:1", "x://h_.-%:::7", "x://h:1\n", "x://hé:1", "x:///:1", "x://]:1", "x://[:1", "\xff://h:1", "x://1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := kafkaEndpoint.FindStringSubmatch(s)
		listener, host, port, ok := splitEndpoint(s)
		require.Equal(t, m != nil, ok, "%q", s)
		if ok {
			require.Equal(t, m[1:], []string{listener, host, port}, "%q", s)
		}
	})
}
