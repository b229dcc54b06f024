//go:build js

// Command wasm is the core in the browser: it puts an object `controllerscope` on the global scope with one function per
// call of package api, each from one JSON text to another, and then waits for ever.
package main

import (
	"github.com/hack-pad/safejs"

	"controllerscope/wasm/api"
)

func main() {
	if err := register(api.New()); err != nil {
		panic(err)
	}
	select {}
}

func register(a *api.API) error {
	class, err := safejs.Global().Get("Object")
	if err != nil {
		return err
	}
	calls, err := class.New()
	if err != nil {
		return err
	}
	for _, name := range api.Names() {
		f, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
			if len(args) != 1 {
				return `{"error":"a call takes one JSON text"}`
			}
			text, err := args[0].String()
			if err != nil {
				return `{"error":"a call takes one JSON text"}`
			}
			return a.Call(name, text)
		})
		if err != nil {
			return err
		}
		if err := calls.Set(name, f); err != nil {
			return err
		}
	}
	return safejs.Global().Set("controllerscope", calls)
}
