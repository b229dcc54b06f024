package zkclient

import (
	"fmt"
	"slices"
	"strconv"

	"controllerscope/core/kafka"
	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// BrokerAndEpoch is a registered broker and its broker epoch, the czxid of its registration.
type BrokerAndEpoch struct {
	zkdata.BrokerInfo
	Epoch int64
}

// RegisterBroker writes the registration of a broker and returns its broker epoch. A registration that this very session
// made before counts as success and stays as it is; that of another session is an error (zk.NodeExists).
// Kafka: KafkaZkClient.registerBroker.
func (c *Client) RegisterBroker(info zkdata.BrokerInfo) (epoch int64, err error) {
	stat, err := c.checkedEphemeralCreate(zkdata.BrokerIDPath(info.ID), zkdata.EncodeBroker(info, c.e.Now()))
	return stat.Czxid, err
}

// checkedEphemeralCreate creates an ephemeral znode in one multi: create with null data, then set the data. Where the znode
// exists, its owner decides. It loops only while the znode keeps going away. Kafka: KafkaZkClient.CheckedEphemeral.
func (c *Client) checkedEphemeralCreate(path string, data []byte) (zk.Stat, error) {
	for {
		r, err := c.retry(zk.Op{Kind: zk.Multi, Ops: []zk.Op{{Kind: zk.Create, Path: path, Mode: zk.Ephemeral}, setOp(path, data, 0)}})
		if err != nil {
			return zk.Stat{}, err
		}
		switch r.Err {
		case zk.OK:
			c.registeredIn = c.SessionID()
			return r.Results[1].Stat, nil
		case zk.NodeExists:
			stat, again, err := c.getAfterNodeExists(path)
			if again {
				continue
			}
			if err == nil {
				c.registeredIn = c.SessionID()
			}
			return stat, err
		default:
			return zk.Stat{}, throw(path, r.Err)
		}
	}
}

// getAfterNodeExists looks at the owner of an ephemeral znode that exists already. again means: create it anew, because it
// went away or was left over from this process's previous session (ZOOKEEPER-2985) and has been deleted.
// Where 2.8.2 fails with a NullPointerException when the znode went away, this does what that code means to do.
func (c *Client) getAfterNodeExists(path string) (stat zk.Stat, again bool, err error) {
	r, err := c.retry(getOp(path))
	if err != nil {
		return zk.Stat{}, false, err
	}
	current := c.SessionID()
	switch {
	case r.Err == zk.NoNode:
		return zk.Stat{}, true, nil
	case r.Err != zk.OK:
		return zk.Stat{}, false, throw(path, r.Err)
	case r.Stat.EphemeralOwner == current:
		return r.Stat, false, nil
	case c.registeredIn == 0 || r.Stat.EphemeralOwner != c.registeredIn:
		return zk.Stat{}, false, throw(path, zk.NodeExists)
	}
	if err := c.DeletePath(path, kafka.MatchAnyVersion); err != nil {
		return zk.Stat{}, false, err
	}
	return zk.Stat{}, true, nil
}

// UpdateBrokerInfo rewrites the registration of a broker, whoever owns it. Kafka: KafkaZkClient.updateBrokerInfo.
func (c *Client) UpdateBrokerInfo(info zkdata.BrokerInfo) error {
	path := zkdata.BrokerIDPath(info.ID)
	r, err := c.retry(setOp(path, zkdata.EncodeBroker(info, c.e.Now()), zk.AnyVersion))
	if err != nil {
		return err
	}
	return throw(path, r.Err)
}

// GetSortedBrokerList lists the ids of the registered brokers, ascending. Kafka: KafkaZkClient.getSortedBrokerList.
func (c *Client) GetSortedBrokerList() ([]kafka.BrokerID, error) {
	children, err := c.GetChildren(zkdata.BrokerIDsPath)
	if err != nil {
		return nil, err
	}
	ids := make([]kafka.BrokerID, len(children))
	for i, child := range children {
		n, err := strconv.ParseInt(child, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %q is not a broker id", zkdata.BrokerIDsPath, child, child)
		}
		ids[i] = kafka.BrokerID(n)
	}
	slices.Sort(ids)
	return ids, nil
}

// GetAllBrokerAndEpochsInCluster lists the brokers and reads all registrations in one batch; one that vanished in between
// is left out. Brokers come by ascending id. Kafka: KafkaZkClient.getAllBrokerAndEpochsInCluster.
func (c *Client) GetAllBrokerAndEpochsInCluster() ([]BrokerAndEpoch, error) {
	ids, err := c.GetSortedBrokerList()
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(ids))
	for i, id := range ids {
		paths[i] = zkdata.BrokerIDPath(id)
	}
	var brokers []BrokerAndEpoch
	err = c.getMany(paths, func(i int, r zk.Result) error {
		info, err := zkdata.DecodeBroker(ids[i], r.Data)
		brokers = append(brokers, BrokerAndEpoch{info, r.Stat.Czxid})
		return err
	})
	if err != nil {
		return nil, err
	}
	return brokers, nil
}

// GetAllBrokersInCluster is the same conversation without the epochs. Kafka: KafkaZkClient.getAllBrokersInCluster.
func (c *Client) GetAllBrokersInCluster() ([]zkdata.BrokerInfo, error) {
	brokers, err := c.GetAllBrokerAndEpochsInCluster()
	infos := make([]zkdata.BrokerInfo, len(brokers))
	for i, b := range brokers {
		infos[i] = b.BrokerInfo
	}
	return infos, err
}

// GetBroker reads one registration. Kafka: KafkaZkClient.getBroker.
func (c *Client) GetBroker(id kafka.BrokerID) (info zkdata.BrokerInfo, found bool, err error) {
	data, _, found, err := c.GetDataAndStat(zkdata.BrokerIDPath(id))
	if err != nil || !found {
		return info, false, err
	}
	info, err = zkdata.DecodeBroker(id, data)
	return info, err == nil, err
}

// GenerateBrokerSequenceID draws the next number for a broker without a configured id: the version of /brokers/seqid after
// one more write. Kafka: KafkaZkClient.generateBrokerSequenceId.
func (c *Client) GenerateBrokerSequenceID() (int32, error) {
	path := zkdata.BrokerSequenceIDPath
	for {
		r, err := c.retry(setOp(path, []byte{}, zk.AnyVersion))
		if err != nil {
			return 0, err
		}
		if r.Err != zk.NoNode {
			return r.Stat.Version, throw(path, r.Err)
		}
		if err := c.CreateRecursive(path, []byte{}, false); err != nil {
			return 0, err
		}
	}
}
