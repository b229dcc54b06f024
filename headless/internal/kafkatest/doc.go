// Package kafkatest runs a real Kafka on the emulator of headless/zkserver. It holds tests only.
package kafkatest
