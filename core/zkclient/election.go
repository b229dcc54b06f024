package zkclient

import (
	"fmt"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// GetControllerID reads /controller; without one, or with text that is not JSON, it is kafka.NoBroker.
// Kafka: KafkaZkClient.getControllerId.
func (c *Client) GetControllerID() (kafka.BrokerID, error) {
	data, _, found, err := c.GetDataAndStat(zkdata.ControllerPath)
	if err != nil || !found {
		return kafka.NoBroker, err
	}
	id, _, err := zkdata.DecodeController(data)
	return id, err
}

// GetControllerEpoch reads /controller_epoch and its zkVersion. Kafka: KafkaZkClient.getControllerEpoch.
func (c *Client) GetControllerEpoch() (epoch, zkVersion int32, found bool, err error) {
	data, stat, found, err := c.GetDataAndStat(zkdata.ControllerEpochPath)
	if err != nil || !found {
		return 0, UnknownVersion, false, err
	}
	epoch, err = zkdata.DecodeControllerEpoch(data)
	return epoch, stat.Version, err == nil, err
}

// RegisterControllerAndIncrementControllerEpoch makes broker id the controller: one multi creates /controller and raises
// /controller_epoch, which is first created with 0 where it is missing. It returns the new epoch and its zkVersion. When the
// multi is refused because of an earlier try of its own whose answer was lost, that counts as success; when another broker
// won, the error is ErrControllerMoved. Kafka: KafkaZkClient.registerControllerAndIncrementControllerEpoch.
func (c *Client) RegisterControllerAndIncrementControllerEpoch(id kafka.BrokerID) (epoch, zkVersion int32, err error) {
	timestamp := c.e.Now()
	current, version, found, err := c.GetControllerEpoch()
	if err == nil && !found {
		current, version, err = c.maybeCreateControllerEpochZNode()
	}
	if err != nil {
		return 0, 0, err
	}
	epoch = current + 1
	r, err := c.retry(zk.Op{Kind: zk.Multi, Ops: []zk.Op{
		{Kind: zk.Create, Path: zkdata.ControllerPath, Data: zkdata.EncodeController(id, timestamp), Mode: zk.Ephemeral},
		setOp(zkdata.ControllerEpochPath, zkdata.EncodeControllerEpoch(epoch), version)}})
	if err != nil {
		return 0, 0, err
	}
	switch r.Err {
	case zk.OK:
		return epoch, r.Results[1].Stat.Version, nil
	case zk.NodeExists, zk.BadVersion:
		zkVersion, err = c.checkControllerAndEpoch(id, epoch)
		return epoch, zkVersion, err
	}
	return 0, 0, throw(zkdata.ControllerPath, r.Err)
}

// maybeCreateControllerEpochZNode creates /controller_epoch with 0, or reads what another broker created meanwhile.
func (c *Client) maybeCreateControllerEpochZNode() (epoch, zkVersion int32, err error) {
	r, err := c.retry(createOp(zkdata.ControllerEpochPath, zkdata.EncodeControllerEpoch(0)))
	if err != nil {
		return 0, 0, err
	}
	if r.Err != zk.NodeExists {
		return 0, 0, throw(zkdata.ControllerEpochPath, r.Err)
	}
	epoch, zkVersion, found, err := c.GetControllerEpoch()
	if err == nil && !found {
		err = fmt.Errorf("%s existed before but went away while trying to read it", zkdata.ControllerEpochPath)
	}
	return epoch, zkVersion, err
}

// checkControllerAndEpoch finds out whether a refused election had in truth succeeded before.
func (c *Client) checkControllerAndEpoch(id kafka.BrokerID, epoch int32) (zkVersion int32, err error) {
	holder, err := c.GetControllerID()
	if err != nil {
		return 0, err
	}
	if holder != id {
		return 0, ErrControllerMoved
	}
	stored, zkVersion, found, err := c.GetControllerEpoch()
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, fmt.Errorf("%s existed before but went away while trying to read it", zkdata.ControllerEpochPath)
	case stored != epoch:
		return 0, ErrControllerMoved
	}
	return zkVersion, nil
}

// DeleteController gives up /controller, fenced; the code of the delete itself is ignored. Kafka: KafkaZkClient.deleteController.
func (c *Client) DeleteController(expectedZkVersion int32) error {
	return c.deleteMany([]string{zkdata.ControllerPath}, expectedZkVersion)
}
