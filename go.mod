module controllerscope

go 1.26
