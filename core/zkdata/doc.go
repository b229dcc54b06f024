// Package zkdata is Kafka's part of the ZooKeeper tree: the paths of its znodes, the bytes it writes into them, and what
// it makes of the bytes it finds. It mirrors kafka.zk.ZkData of Kafka 2.8.2.
//
// Encoders write byte for byte what the Scala 2.13 build writes: no whitespace, UTF-8, fields in the iteration order of the
// map that the original fills. Decoders follow the original's three outcomes: a value; "as if the node said nothing", where
// Kafka swallows text that is not JSON; and an error, where Kafka throws.
package zkdata
