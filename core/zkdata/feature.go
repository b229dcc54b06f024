package zkdata

import (
	"errors"
	"fmt"

	"controllerscope/core/kafka"
)

// FeatureStatus says whether feature versioning is in force. Kafka: FeatureZNodeStatus.
type FeatureStatus int32

const (
	FeatureDisabled FeatureStatus = 0
	FeatureEnabled  FeatureStatus = 1
)

// VersionRange is a range of feature levels, both ends included.
type VersionRange struct{ Min, Max int32 }

// Features maps the name of a feature to its levels; stock 2.8.2 has none.
type Features map[string]VersionRange

// FeatureZNode is the content of /feature. Kafka: FeatureZNode.
type FeatureZNode struct {
	Status   FeatureStatus
	Features Features
}

// EncodeFeature is the data of /feature. Kafka: FeatureZNode.encode.
func EncodeFeature(f FeatureZNode) []byte {
	b := appendFeatures([]byte(`{"features":`), f.Features, "min_version_level", "max_version_level")
	b = appendInt(append(b, `,"version":1,"status":`...), f.Status)
	return append(b, '}')
}

// DecodeFeature reads it. All three fields and a known status are required. Kafka: FeatureZNode.decode.
func DecodeFeature(data []byte) (FeatureZNode, error) {
	f, err := decodeFeature(data)
	return f, at(FeaturePath, err)
}

func decodeFeature(data []byte) (f FeatureZNode, err error) {
	o, ok, err := parseObject(data)
	if err == nil && !ok {
		err = errNotJSON
	}
	if err != nil {
		return f, err
	}
	version, err := o.int32("version")
	if err != nil {
		return f, err
	}
	if version < 1 {
		return f, fmt.Errorf("the version %d is not supported", version)
	}
	features, err := o.object("features")
	if err == nil && features == nil {
		err = errors.New(`the field "features" is missing`)
	}
	if err != nil {
		return f, err
	}
	if f.Features, err = asFeatures(features, "min_version_level", "max_version_level"); err != nil {
		return f, err
	}
	status, err := o.int32("status")
	if err != nil {
		return f, err
	}
	f.Status = FeatureStatus(status)
	if f.Status != FeatureDisabled && f.Status != FeatureEnabled {
		return f, fmt.Errorf("the status %d is neither 0 (disabled) nor 1 (enabled)", status)
	}
	return f, nil
}

// appendFeatures writes the names in alphabetical order; the original's order of two and more features is a Java hash map's.
func appendFeatures(b []byte, features Features, minKey, maxKey string) []byte {
	return appendList(b, '{', '}', kafka.SortedKeys(features), func(b []byte, name string) []byte {
		b = append(appendString(b, name), ":{"...)
		b = appendInt(append(appendString(b, minKey), ':'), features[name].Min)
		b = appendInt(append(appendString(append(b, ','), maxKey), ':'), features[name].Max)
		return append(b, '}')
	})
}

func asFeatures(o object, minKey, maxKey string) (Features, error) {
	features := Features{}
	for _, name := range kafka.SortedKeys(o) {
		levels, err := o.object(name)
		if err != nil {
			return nil, err
		}
		low, err := levels.int32(minKey)
		if err != nil {
			return nil, fmt.Errorf("feature %q: %w", name, err)
		}
		high, err := levels.int32(maxKey)
		if err != nil {
			return nil, fmt.Errorf("feature %q: %w", name, err)
		}
		features[name] = VersionRange{low, high}
	}
	return features, nil
}
