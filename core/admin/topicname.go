package admin

import (
	"fmt"
	"strings"
)

const maxTopicName = 249

// validTopicName says what is wrong with a topic's name, in Kafka's words; "" for nothing. Kafka: Topic.validate.
func validTopicName(topic string) string {
	switch {
	case topic == "":
		return "Topic name is illegal, it can't be empty"
	case topic == "." || topic == "..":
		return `Topic name cannot be "." or ".."`
	case len(topic) > maxTopicName:
		return fmt.Sprintf("Topic name is illegal, it can't be longer than %d characters, topic name: %s", maxTopicName, topic)
	}
	for _, r := range topic {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '.' && r != '_' && r != '-' {
			return fmt.Sprintf("Topic name \"%s\" is illegal, it contains a character other than ASCII alphanumerics, '.', '_' and '-'", topic)
		}
	}
	return ""
}

// collides reports whether two names become one metric name. Kafka: Topic.hasCollision.
func collides(a, b string) bool {
	return strings.ReplaceAll(a, ".", "_") == strings.ReplaceAll(b, ".", "_")
}

// hasCollisionChars reports whether a name could collide with another. Kafka: Topic.hasCollisionChars.
func hasCollisionChars(topic string) bool { return strings.ContainsAny(topic, "._") }
