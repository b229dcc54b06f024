package zkdata

import (
	"fmt"

	"controllerscope/core/kafka"
)

// EncodeConfig is the data of a config entity, keys in the order of a Java Properties table. Kafka: ConfigEntityZNode.encode.
func EncodeConfig(config map[string]string) []byte {
	b := appendList([]byte(`{"version":1,"config":`), '{', '}', kafka.StringKeys(config), func(b []byte, key string) []byte {
		return appendString(append(appendString(b, key), ':'), config[key])
	})
	return append(b, '}')
}

// DecodeConfig reads the config of an entity at path. No data, text that is not JSON, JSON that is no object and a missing
// "config" are an empty map; a value that is not a string is an error. Kafka: ConfigEntityZNode.decode.
func DecodeConfig(path string, data []byte) (map[string]string, error) {
	config := map[string]string{}
	if data == nil {
		return config, nil
	}
	v, err := parse(data)
	if err != nil {
		return config, nil
	}
	o, isObject := v.(map[string]any)
	if !isObject {
		return config, nil
	}
	entries, isObject := o["config"].(map[string]any)
	if !isObject {
		return config, nil
	}
	for _, key := range kafka.SortedKeys(entries) {
		s, isString := entries[key].(string)
		if !isString {
			return nil, at(path, fmt.Errorf("the value of the config %q: expected a string", key))
		}
		config[key] = s
	}
	return config, nil
}
