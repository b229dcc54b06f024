package broker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
)

// kafka-znodes-and-config.md 4.8: a change of the topic's config while its log is being created is read once more.
func TestConfigChangesWhileALogIsCreated(t *testing.T) {
	var n *node
	reads := 0
	n = newWorld(t).start(2, NewDisk(1), func(c *Config) {
		c.TopicConfig = func(topic string) error {
			if reads++; reads == 1 {
				n.TopicConfigUpdated("other")
				n.TopicConfigUpdated(topic)
			}
			return nil
		}
	})
	n.HandleUpdateMetadata(um(1, 2))
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t0, 2, 0, 2)))))
	require.Equal(t, 2, reads)
	n.TopicConfigUpdated("t")
	require.Equal(t, []kafka.Error{kafka.NONE}, answers(n.HandleLeaderAndIsr(lai(1, entry(t1, 2, 0, 2)))))
	require.Equal(t, 3, reads, "nothing changed while the second log was created")
}

// A blocked name fails the directory that should have taken the log, and the next one takes it.
func TestDiskTriesTheNextDirectory(t *testing.T) {
	d := NewDisk(3)
	d.Block(0, "t-0", true)
	d.Block(1, "t-0", true)
	dir, failed := d.choose(t0)
	require.Equal(t, []int{0, 1}, failed)
	require.Equal(t, 2, dir)
	d.create(t0, dir)
	dir, failed = d.choose(t1)
	require.Empty(t, failed, "another name fits")
	require.Equal(t, 0, dir)
	d.create(t1, dir)
	d.remove(t0)
	d.Block(1, "t-0", false)
	dir, failed = d.choose(t0)
	require.Equal(t, 1, dir, "the first of the emptiest")
	require.Empty(t, failed)
	d.Block(1, "t-0", true)
	d.Block(2, "t-0", true)
	d.Block(0, "t-0", true)
	dir, failed = d.choose(t0)
	require.Equal(t, -1, dir, "no directory takes it")
	require.Equal(t, []int{1, 2, 0}, failed)
}
