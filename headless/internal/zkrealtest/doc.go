// Package zkrealtest tests core/zk/zkreal on servers that the tests start. It holds tests only.
package zkrealtest
