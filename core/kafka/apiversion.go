package kafka

import (
	"fmt"
	"slices"
	"strings"
)

// APIVersion is an inter.broker.protocol.version: its place in the list of all that 2.8.2 knows. Kafka: kafka.api.ApiVersion.
type APIVersion int

// apiVersions are the names, oldest first. Kafka: ApiVersion.allVersions.
var apiVersions = strings.Fields("0.8.0 0.8.1 0.8.2 0.9.0 0.10.0-IV0 0.10.0-IV1 0.10.1-IV0 0.10.1-IV1 0.10.1-IV2 0.10.2-IV0 " +
	"0.11.0-IV0 0.11.0-IV1 0.11.0-IV2 1.0-IV0 1.1-IV0 2.0-IV0 2.0-IV1 2.1-IV0 2.1-IV1 2.1-IV2 2.2-IV0 2.2-IV1 2.3-IV0 2.3-IV1 " +
	"2.4-IV0 2.4-IV1 2.5-IV0 2.6-IV0 2.7-IV0 2.7-IV1 2.7-IV2 2.8-IV0 2.8-IV1")

// The versions from which on something in this project is different (kafka-controller.md, 0.7).
var (
	V1_0_IV0 = mustAPIVersion("1.0-IV0") // LeaderAndIsr says what is new, UpdateMetadata which replicas are offline
	V2_2_IV0 = mustAPIVersion("2.2-IV0") // requests carry broker epochs
	V2_4_IV0 = mustAPIVersion("2.4-IV0") // LeaderAndIsr carries adding and removing replicas
	V2_6_IV0 = mustAPIVersion("2.6-IV0") // StopReplica carries leader epochs, and deletes per partition
	V2_7_IV0 = mustAPIVersion("2.7-IV0") // features, registrations of version 5
	V2_7_IV2 = mustAPIVersion("2.7-IV2") // AlterIsr
	V2_8_IV0 = mustAPIVersion("2.8-IV0") // topic ids are assigned
	V2_8_IV1 = mustAPIVersion("2.8-IV1") // topic ids in requests; the default of 2.8.2
)

// LatestAPIVersion is the default of 2.8.2.
func LatestAPIVersion() APIVersion { return V2_8_IV1 }

// ParseAPIVersion reads a name. A name without its -IVn stands for the last of that release; what follows the release, as
// in 2.8.2, does not count. Kafka: ApiVersion.apply.
func ParseAPIVersion(text string) (APIVersion, error) {
	if i := slices.Index(apiVersions, text); i >= 0 {
		return APIVersion(i), nil
	}
	parts := strings.Split(text, ".")
	n := 2
	if parts[0] == "0" {
		n = 3
	}
	release := strings.Join(parts[:min(n, len(parts))], ".")
	for i := len(apiVersions) - 1; i >= 0; i-- {
		if name, _, _ := strings.Cut(apiVersions[i], "-"); name == release && !strings.Contains(text, "-") {
			return APIVersion(i), nil
		}
	}
	return 0, fmt.Errorf("version `%s` is not a valid version", text)
}

func mustAPIVersion(text string) APIVersion {
	v, err := ParseAPIVersion(text)
	if err != nil {
		panic(err)
	}
	return v
}

func (v APIVersion) String() string { return apiVersions[v] }
