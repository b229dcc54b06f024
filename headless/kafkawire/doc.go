// Package kafkawire puts the requests of package request onto the wire as Kafka 2.8.2 does at inter.broker.protocol.version
// 2.8-IV1, with the message types of github.com/twmb/franz-go/pkg/kmsg, and reads them from it.
//
//	LeaderAndIsr v5 · UpdateMetadata v7 · StopReplica v3 · ControlledShutdown v3 · AlterPartition v0 (named AlterIsr in 2.8)
//	Fetch v12 · CreateTopics v7 · DeleteTopics v5 · CreatePartitions v3 · ApiVersions v0 to v3
//
// EncodeRequest, DecodeRequest, EncodeResponse and DecodeResponse map the types; Server and Client speak them over
// connections. What a message has no field for does not travel:
//
//   - LeaderAndIsr carries host and port of a live leader, of the first listener that the sender knows; its name, protocol
//     and the broker's rack come with UpdateMetadata.
//   - The answer to LeaderAndIsr names topics by their id; it is read beside its request.
//   - Answers about topics have no error of their own at the top: one is given to every topic of the request.
//
// # Fetch
//
// A log is numbers here, so a fetch carries no records. Where Fetch v12 has a field it is used: a session epoch of 0 begins
// a session (request.Fetch.Full), the session id is always 1 after that; the diverging epoch stands in its tagged field.
// The rest stands in tagged fields, which a reader that does not know them skips: the high watermark that the follower was
// told under tag 1 of a partition in the request, where Fetch v18 has it (KIP-1166); and under tag logTag of a partition in
// the answer, big endian, what record batches would tell: the leader epoch asked for (int32), the end offset (int64), the
// number of leader epochs (int32), and each of them with its first offset (int32, int64). An answer without that tag is
// one of a real log and is refused.
//
// # Order
//
// A Client sends in order and a Server delivers in order, but answers as soon as it has one, also before that of an
// earlier request of the same connection: a fetch waits for news while the next one arrives. They are paired by their
// correlation ids.
package kafkawire
