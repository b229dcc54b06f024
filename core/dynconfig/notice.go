package dynconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"controllerscope/core/jsonvalue"
	"controllerscope/core/zkdata"
)

// notice is what a config change notification names: an entity, whose current config the receiver reads.
type notice struct{ entityType, entity string }

// decodeNotice reads a notification of version 1 or 2. ok is false, without an error, when data is not JSON: such notices
// came from brokers before 0.9 and are ignored. Kafka: DynamicConfigManager.ConfigChangedNotificationHandler.
func decodeNotice(data []byte) (n notice, ok bool, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return n, false, errors.New("config change notification is empty")
	}
	v, _, wrong := jsonvalue.First(string(data))
	if wrong != nil {
		return n, false, nil
	}
	fields, isObject := v.(map[string]any)
	if !isObject {
		return n, false, fmt.Errorf("config change notification has an unexpected value, the format is {\"version\":1 or 2, ...}: %s", data)
	}
	version, isNumber := fields["version"].(jsonvalue.Number)
	if !isNumber {
		return n, false, fmt.Errorf("config change notification has no whole number as its version: %s", data)
	}
	switch version {
	case "1":
		n, err = decodeVersion1(fields)
	case "2":
		n, err = decodeVersion2(fields)
	default:
		err = fmt.Errorf("version %s is not supported, only 1 and 2", version)
	}
	return n, err == nil, err
}

func decodeVersion1(fields map[string]any) (n notice, err error) {
	n.entityType, _ = fields["entity_type"].(string)
	if n.entityType != zkdata.ConfigTypeTopics && n.entityType != zkdata.ConfigTypeClients {
		return n, errors.New("version 1 config change notification must have 'entity_type' set to either 'clients' or 'topics'")
	}
	entity, found := fields["entity_name"].(string)
	if !found {
		return n, errors.New("version 1 config change notification does not specify 'entity_name'")
	}
	n.entity = entity
	return n, nil
}

func decodeVersion2(fields map[string]any) (n notice, err error) {
	path, found := fields["entity_path"].(string)
	if !found {
		return n, errors.New("version 2 config change notification must specify 'entity_path'")
	}
	entityType, entity, found := strings.Cut(path, "/")
	if !found || !slices.Contains(zkdata.ConfigTypes(), entityType) {
		return n, fmt.Errorf("version 2 config change notification must have 'entity_path' starting with one of %s, got %q",
			strings.Join(zkdata.ConfigTypes(), ", "), path)
	}
	if entity == "" {
		return n, fmt.Errorf("the entity path %q names no entity", path)
	}
	return notice{entityType, entity}, nil
}

// checkPath refuses an entity that no znode can have, as ZooKeeper's client does before it asks the server.
// ZooKeeper: PathUtils.validatePath.
func (n notice) checkPath() error {
	for _, name := range strings.Split(n.entity, "/") {
		if name == "" || name == "." || name == ".." {
			return fmt.Errorf("invalid path %s: the node name %q is not allowed", zkdata.ConfigEntityPath(n.entityType, n.entity), name)
		}
	}
	return nil
}
