package zkdata

import (
	"fmt"
	"strconv"

	"controllerscope/core/kafka"
)

// EncodeController is the data of /controller; timestampMS is a clock in ms since 1970. Kafka: ControllerZNode.encode.
func EncodeController(id kafka.BrokerID, timestampMS int64) []byte {
	b := appendInt([]byte(`{"version":1,"brokerid":`), id)
	b = append(b, `,"timestamp":"`...)
	b = appendInt(b, timestampMS)
	return append(b, `"}`...)
}

// DecodeController reads the id out of /controller. Text that is not JSON is ok=false, "no controller"; JSON without a
// brokerid is an error. Kafka: ControllerZNode.decode.
func DecodeController(data []byte) (id kafka.BrokerID, ok bool, err error) {
	o, ok, err := parseObject(data)
	if err != nil || !ok {
		return kafka.NoBroker, false, at(ControllerPath, err)
	}
	n, err := o.int32("brokerid")
	if err != nil {
		return kafka.NoBroker, false, at(ControllerPath, err)
	}
	return kafka.BrokerID(n), true, nil
}

// EncodeControllerEpoch is the data of /controller_epoch. Kafka: ControllerEpochZNode.encode.
func EncodeControllerEpoch(epoch int32) []byte { return strconv.AppendInt(nil, int64(epoch), 10) }

// DecodeControllerEpoch reads it; anything but a decimal number is an error. Kafka: ControllerEpochZNode.decode.
func DecodeControllerEpoch(data []byte) (int32, error) {
	n, err := strconv.ParseInt(string(data), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is not a controller epoch", ControllerEpochPath, data)
	}
	return int32(n), nil
}

// EncodeClusterID is the data of /cluster/id. Kafka: ClusterIdZNode.toJson.
func EncodeClusterID(id string) []byte {
	return append(appendString([]byte(`{"version":"1","id":`), id), '}')
}

// DecodeClusterID reads it; anything else is an error. Kafka: ClusterIdZNode.fromJson.
func DecodeClusterID(data []byte) (string, error) {
	o, ok, err := parseObject(data)
	if err == nil && !ok {
		err = errNotJSON
	}
	if err != nil {
		return "", at(ClusterIDPath, err)
	}
	id, err := o.string("id")
	return id, at(ClusterIDPath, err)
}

// ProducerIDBlock is a claimed range of producer ids, both ends included. Kafka: ProducerIdBlock.
type ProducerIDBlock struct {
	Broker     kafka.BrokerID
	Start, End int64
}

// EncodeProducerIDBlock is the data of /latest_producer_id_block. Kafka: ProducerIdManager.generateProducerIdBlockJson.
func EncodeProducerIDBlock(block ProducerIDBlock) []byte {
	b := appendInt([]byte(`{"version":1,"broker":`), block.Broker)
	b = appendInt(append(b, `,"block_start":"`...), block.Start)
	b = appendInt(append(b, `","block_end":"`...), block.End)
	return append(b, `"}`...)
}

// DecodeProducerIDBlock reads it. Kafka: ProducerIdManager.parseProducerIdBlockData.
func DecodeProducerIDBlock(data []byte) (ProducerIDBlock, error) {
	fail := func(err error) (ProducerIDBlock, error) { return ProducerIDBlock{}, at(ProducerIDBlockPath, err) }
	o, ok, err := parseObject(data)
	if err == nil && !ok {
		err = errNotJSON
	}
	if err != nil {
		return fail(err)
	}
	broker, err := o.int32("broker")
	if err != nil {
		return fail(err)
	}
	start, err := o.int64Text("block_start")
	if err != nil {
		return fail(err)
	}
	end, err := o.int64Text("block_end")
	if err != nil {
		return fail(err)
	}
	return ProducerIDBlock{kafka.BrokerID(broker), start, end}, nil
}

// int64Text reads a number that is written as a string.
func (o object) int64Text(key string) (int64, error) {
	s, err := o.string(key)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the field %q: %q is not a whole number", key, s)
	}
	return n, nil
}

// at puts the path in front of a decoder's complaint.
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}
