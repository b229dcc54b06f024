package zkclient

import (
	"fmt"
	"strings"

	"controllerscope/core/zk"
	"controllerscope/core/zkdata"
)

// UnknownVersion is the version of a znode that does not exist. Kafka: ZkVersion.UnknownVersion.
const UnknownVersion int32 = -2

// PathExists asks whether path exists, with a watch if it has a handler. Kafka: KafkaZkClient.pathExists.
func (c *Client) PathExists(path string) (bool, error) {
	r, err := c.retry(zk.Op{Kind: zk.Exists, Path: path})
	if err != nil || r.Err == zk.NoNode {
		return false, err
	}
	return r.Err == zk.OK, throw(path, r.Err)
}

// GetChildren lists path, with a watch if it has a child handler. A missing path has no children, and then no watch either.
// Kafka: KafkaZkClient.getChildren.
func (c *Client) GetChildren(path string) ([]string, error) { return c.getChildren(path, true) }

func (c *Client) getChildren(path string, registerWatch bool) ([]string, error) {
	r, err := c.retry(zk.Op{Kind: zk.Children, Path: path, Watch: registerWatch})
	if err != nil || r.Err == zk.NoNode {
		return nil, err
	}
	return r.Children, throw(path, r.Err)
}

// GetDataAndVersion reads path; a missing one is nil data and UnknownVersion. Kafka: KafkaZkClient.getDataAndVersion.
func (c *Client) GetDataAndVersion(path string) ([]byte, int32, error) {
	data, stat, found, err := c.GetDataAndStat(path)
	if !found {
		return nil, UnknownVersion, err
	}
	return data, stat.Version, nil
}

// GetDataAndStat reads path; found is false for a missing one. Kafka: KafkaZkClient.getDataAndStat.
func (c *Client) GetDataAndStat(path string) (data []byte, stat zk.Stat, found bool, err error) {
	r, err := c.retry(getOp(path))
	if err != nil || r.Err == zk.NoNode {
		return nil, zk.Stat{}, false, err
	}
	return r.Data, r.Stat, r.Err == zk.OK, throw(path, r.Err)
}

// getMany reads paths in one batch and calls each for those that exist. Codes but OK and NONODE are errors.
func (c *Client) getMany(paths []string, each func(i int, r zk.Result) error) error {
	ops := make([]zk.Op, len(paths))
	for i, path := range paths {
		ops[i] = getOp(path)
	}
	answers, err := c.RetryRequestsUntilConnected(ops)
	if err != nil {
		return err
	}
	for i, r := range answers {
		if r.Err == zk.NoNode {
			continue
		}
		if err := throw(paths[i], r.Err); err != nil {
			return err
		}
		if err := each(i, r); err != nil {
			return err
		}
	}
	return nil
}

// ConditionalUpdatePath sets path if it has expectVersion. On BADVERSION it asks check, if given, whether an earlier try of
// this very update went through; else, and on NONODE, updated is false and the version UnknownVersion.
// Kafka: KafkaZkClient.conditionalUpdatePath.
func (c *Client) ConditionalUpdatePath(path string, data []byte, expectVersion int32,
	check func() (updated bool, version int32, err error)) (updated bool, version int32, err error) {
	r, err := c.retry(setOp(path, data, expectVersion))
	if err != nil {
		return false, UnknownVersion, err
	}
	switch r.Err {
	case zk.OK:
		return true, r.Stat.Version, nil
	case zk.BadVersion:
		if check != nil {
			return check()
		}
		return false, UnknownVersion, nil
	case zk.NoNode:
		return false, UnknownVersion, nil
	}
	return false, UnknownVersion, throw(path, r.Err)
}

// CreateTopLevelPaths makes sure of the paths that every broker needs. Kafka: KafkaZkClient.createTopLevelPaths.
func (c *Client) CreateTopLevelPaths() error {
	for _, path := range zkdata.PersistentPaths() {
		if err := c.MakeSurePersistentPathExists(path); err != nil {
			return err
		}
	}
	return nil
}

// MakeSurePersistentPathExists creates path and its missing parents with null data. Kafka: makeSurePersistentPathExists.
func (c *Client) MakeSurePersistentPathExists(path string) error {
	return c.CreateRecursive(path, nil, false)
}

// CreateRecursive creates a persistent path: the leaf is tried first, its missing parents are made with null data, then the
// leaf again. An existing leaf is an error only if throwIfPathExists. Kafka: KafkaZkClient.createRecursive.
func (c *Client) CreateRecursive(path string, data []byte, throwIfPathExists bool) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("the path %q must begin with a slash", path)
	}
	r, err := c.retry(createOp(path, data))
	if err != nil {
		return err
	}
	if r.Err == zk.NoNode {
		if err := c.createParent(path); err != nil {
			return err
		}
		if r, err = c.retry(createOp(path, data)); err != nil {
			return err
		}
	}
	if r.Err == zk.NodeExists && !throwIfPathExists {
		return nil
	}
	return throw(path, r.Err)
}

func (c *Client) createParent(path string) error {
	parent := path[:strings.LastIndexByte(path, '/')]
	if parent == "" {
		return &Error{zk.NoNode, path}
	}
	return c.CreateRecursive(parent, nil, false)
}

// CreateSequentialPersistentPath creates a numbered child and returns its finished path.
// Kafka: KafkaZkClient.createSequentialPersistentPath.
func (c *Client) CreateSequentialPersistentPath(path string, data []byte) (string, error) {
	r, err := c.retry(zk.Op{Kind: zk.Create, Path: path, Data: data, Mode: zk.PersistentSequential})
	if err != nil {
		return "", err
	}
	return r.Path, throw(path, r.Err)
}

// DeleteRecursive deletes path with everything below it, children first, each delete fenced by expectedZkVersion. It is not
// atomic. It reports whether path was there. Kafka: KafkaZkClient.deleteRecursive.
func (c *Client) DeleteRecursive(path string, expectedZkVersion int32) (bool, error) {
	if !strings.HasPrefix(path, "/") {
		return false, fmt.Errorf("the path %q must begin with a slash", path)
	}
	r, err := c.retry(zk.Op{Kind: zk.Children, Path: path, Watch: true})
	if err != nil || r.Err == zk.NoNode {
		return false, err
	}
	if err := throw(path, r.Err); err != nil {
		return false, err
	}
	for _, child := range r.Children {
		if _, err := c.DeleteRecursive(strings.TrimSuffix(path, "/")+"/"+child, expectedZkVersion); err != nil {
			return false, err
		}
	}
	if err := c.DeletePath(path, expectedZkVersion); err != nil {
		return false, err
	}
	return true, nil
}

// DeletePath deletes path alone; a missing one is fine. Kafka: KafkaZkClient.deletePath without recursion.
func (c *Client) DeletePath(path string, expectedZkVersion int32) error {
	r, err := c.retryFenced(deleteOp(path), expectedZkVersion)
	if err != nil || r.Err == zk.NoNode {
		return err
	}
	return throw(path, r.Err)
}

// deleteMany deletes paths in one fenced batch and ignores the codes of the single deletes.
func (c *Client) deleteMany(paths []string, expectedZkVersion int32) error {
	ops := make([]zk.Op, len(paths))
	for i, path := range paths {
		ops[i] = deleteOp(path)
	}
	_, err := c.RetryFenced(ops, expectedZkVersion)
	return err
}
