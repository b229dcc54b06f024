package request

import "controllerscope/core/kafka"

// Net is the port through which a process reaches others: between processes of the world it is a set of choices, live it
// speaks Kafka's protocol.
type Net interface {
	// Send sends r to the endpoint of broker `to` and returns at once. done is called exactly once, outside any thread:
	// with the answer, or with an error when the connection could not be made or broke (the request may have been
	// processed). Requests of one Conn are delivered in the order they were sent. id is the sender's name for the request
	// ("r17", unique in the process). Send notes req.send: the request stands in the document as lane/FROM>TO/id (Leaves),
	// from here on with the state flight.
	Send(c Conn, id string, r Request, done func(Response, error))
	// Drop closes a connection: no done of it is called any more. What has left stays under way.
	Drop(c Conn)
}

// Conn names a connection of a process: one per controller channel, and one each for the AlterIsr sender, the
// controlled shutdown and API clients. Ordinal makes a connection made anew distinct from the one before.
type Conn struct {
	To      kafka.BrokerID
	Address kafka.Endpoint
	Purpose string // "control", "alterisr", "shutdown", "api"
	Ordinal int64
}

// Handler is a process that receives requests. Receive runs outside any thread and must not block; reply is called once,
// now or later (a request that waits in the request queue of a starting broker is answered when it runs).
type Handler interface {
	Receive(from string, r Request, reply func(Response))
}
