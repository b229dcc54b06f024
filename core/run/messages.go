package run

import (
	"controllerscope/core/broker"
	"controllerscope/core/controller"
	"controllerscope/core/dynconfig"
	"controllerscope/core/env"
	"controllerscope/core/server"
	"controllerscope/core/sim"
	"controllerscope/core/zkclient"
)

// messages are the keys of all packages that note.
var messages = [][]env.Message{sim.Messages, zkclient.Messages, controller.Messages, broker.Messages, dynconfig.Messages, server.Messages}
