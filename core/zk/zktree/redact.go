package zktree

import (
	"encoding/json"
	"strings"

	"controllerscope/core/zk"
)

// Redacted stands where a secret stood.
const Redacted = "(redacted)"

// Redact takes the secrets that Kafka keeps in znodes out of one: SCRAM credentials of users, passwords and keys in the
// configuration of brokers, delegation tokens. It reports whether there was anything to take.
func Redact(n *zk.Plant) bool {
	var secret func(key string) bool
	switch {
	case strings.HasPrefix(n.Path, "/config/users/"):
		secret = func(key string) bool { return strings.HasPrefix(strings.ToUpper(key), "SCRAM-") }
	case strings.HasPrefix(n.Path, "/config/brokers/"):
		secret = secretConfig
	case strings.HasPrefix(n.Path, "/delegation_token/tokens/"):
		secret = func(string) bool { return true }
	default:
		return false
	}
	if len(n.Data) == 0 {
		return false
	}
	data, found, err := redactConfig(n.Data, secret)
	if err != nil { // nobody knows what is in there
		n.Data = []byte(Redacted)
		return true
	}
	if found {
		n.Data = data
	}
	return found
}

// secretConfig reports whether a broker's configuration key holds what Kafka calls a PASSWORD, or may.
func secretConfig(key string) bool {
	key = strings.ToLower(key)
	for _, part := range []string{"password", "secret", "jaas.config", "keystore.key", "keystore.certificate.chain", "truststore.certificates"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// redactConfig replaces the secret values in {"version":1,"config":{…}}. Data of another form is an error.
func redactConfig(data []byte, secret func(string) bool) ([]byte, bool, error) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, false, err
	}
	var config map[string]any
	if err := json.Unmarshal(whole["config"], &config); err != nil {
		return nil, false, err
	}
	found := false
	for key := range config {
		if secret(key) {
			config[key], found = Redacted, true
		}
	}
	if !found {
		return nil, false, nil
	}
	raw, err := json.Marshal(config)
	if err != nil {
		return nil, false, err
	}
	whole["config"] = raw
	data, err = json.Marshal(whole)
	return data, true, err
}
