module controllerscope

go 1.26

require github.com/go-zookeeper/zk v1.0.4

require (
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/evanw/esbuild v0.28.2 // indirect
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
