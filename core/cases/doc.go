// Package cases holds Kafka 2.8.2 to its own tests and to cases from the field, as stories of a whole cluster. It has tests
// only. Each case is a test named by its id (TestCTL_07 is case CTL-07); cases that need no cluster stand beside the package
// that they are about (conformance_*_test.go), under the same names, so that
//
//	go test ./... -run CTL.07
//
// runs a case wherever it is, and TestTable counts them all.
package cases
