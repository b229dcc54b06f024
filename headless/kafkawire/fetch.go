package kafkawire

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// logTag is the tagged field of Fetch v12 that is ours alone (see the package's documentation).
const logTag = 1000

// fetchWaitMS is how long a leader may keep a fetch; ours keeps it until there is news. Kafka: replica.fetch.wait.max.ms.
const fetchWaitMS = 500

func encodeFetch(r request.Fetch) *kmsg.FetchRequest {
	k := kmsg.NewPtrFetchRequest()
	k.ReplicaID, k.MaxWaitMillis, k.MinBytes = int32(r.ReplicaID), fetchWaitMS, 1
	k.SessionEpoch = 0
	if !r.Full {
		k.SessionID, k.SessionEpoch = 1, 1
	}
	topics := byTopic{}
	for _, p := range r.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.FetchRequestTopic{Topic: p.Topic})
		}
		f := kmsg.NewFetchRequestTopicPartition()
		f.Partition, f.CurrentLeaderEpoch, f.FetchOffset, f.LastFetchedEpoch = p.Partition, p.LeaderEpoch, p.Offset, p.LastEpoch
		f.HighWatermark = p.HighWatermark
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, f)
	}
	return k
}

func decodeFetch(k *kmsg.FetchRequest) request.Fetch {
	r := request.Fetch{ReplicaID: kafka.BrokerID(k.ReplicaID), Full: k.SessionEpoch <= 0}
	for _, t := range k.Topics {
		for _, p := range t.Partitions {
			r.Partitions = append(r.Partitions, request.FetchPartition{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				LeaderEpoch: p.CurrentLeaderEpoch, Offset: p.FetchOffset, LastEpoch: p.LastFetchedEpoch, HighWatermark: p.HighWatermark})
		}
	}
	return r
}

func encodeFetchResponse(answer request.FetchResponse) *kmsg.FetchResponse {
	k := kmsg.NewPtrFetchResponse()
	k.ErrorCode, k.SessionID = int16(answer.Error), 1
	topics := byTopic{}
	for _, p := range answer.Partitions {
		at, fresh := topics.at(p.Topic)
		if fresh {
			k.Topics = append(k.Topics, kmsg.FetchResponseTopic{Topic: p.Topic})
		}
		f := kmsg.NewFetchResponseTopicPartition()
		f.Partition, f.ErrorCode, f.HighWatermark = p.Partition, int16(p.Error), p.HighWatermark
		if p.Diverging {
			f.DivergingEpoch.Epoch, f.DivergingEpoch.EndOffset = p.DivergingEpoch, p.DivergingEnd
		}
		f.UnknownTags.Set(logTag, appendLog(nil, p))
		k.Topics[at].Partitions = append(k.Topics[at].Partitions, f)
	}
	return k
}

// appendLog writes what the tagged field logTag holds.
func appendLog(out []byte, p request.FetchResult) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(p.LeaderEpoch))
	out = binary.BigEndian.AppendUint64(out, uint64(p.EndOffset))
	out = binary.BigEndian.AppendUint32(out, uint32(len(p.Epochs)))
	for _, e := range p.Epochs {
		out = binary.BigEndian.AppendUint32(out, uint32(e.Epoch))
		out = binary.BigEndian.AppendUint64(out, uint64(e.Offset))
	}
	return out
}

// Sizes within the tagged field logTag.
const (
	logHead  = 4 + 8 + 4
	logEpoch = 4 + 8
)

func readLog(b []byte, p *request.FetchResult) error {
	if len(b) < logHead || (len(b)-logHead)%logEpoch != 0 || uint64(binary.BigEndian.Uint32(b[12:])) != uint64(len(b)-logHead)/logEpoch {
		return fmt.Errorf("the answer to Fetch says nothing of the log of %s that can be read", p.TopicPartition)
	}
	p.LeaderEpoch = int32(binary.BigEndian.Uint32(b))
	p.EndOffset = int64(binary.BigEndian.Uint64(b[4:]))
	for b = b[logHead:]; len(b) > 0; b = b[logEpoch:] {
		p.Epochs = append(p.Epochs, request.EpochStart{Epoch: int32(binary.BigEndian.Uint32(b)), Offset: int64(binary.BigEndian.Uint64(b[4:]))})
	}
	return nil
}

func decodeFetchResponse(k *kmsg.FetchResponse) (request.FetchResponse, error) {
	answer := request.FetchResponse{Error: kafka.Error(k.ErrorCode)}
	for _, t := range k.Topics {
		for _, f := range t.Partitions {
			p := request.FetchResult{TopicPartition: kafka.TopicPartition{Topic: t.Topic, Partition: f.Partition},
				Error: kafka.Error(f.ErrorCode), HighWatermark: f.HighWatermark}
			if d := f.DivergingEpoch; d.EndOffset >= 0 {
				p.Diverging, p.DivergingEpoch, p.DivergingEnd = true, d.Epoch, d.EndOffset
			}
			var log []byte
			f.UnknownTags.Each(func(tag uint32, value []byte) {
				if tag == logTag {
					log = value
				}
			})
			if err := readLog(log, &p); err != nil {
				return answer, err
			}
			answer.Partitions = append(answer.Partitions, p)
		}
	}
	return answer, nil
}
