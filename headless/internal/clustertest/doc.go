// Package clustertest tests live clusters as people start them: one operating-system process per broker, on real ZooKeeper.
package clustertest
