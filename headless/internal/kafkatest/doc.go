// Package kafkatest runs a real Kafka 2.8.2 on the emulator of headless/zkserver: it records scenarios again and holds them
// against the recordings made on a real ZooKeeper, and it produces and consumes while brokers die. It holds tests only.
package kafkatest
