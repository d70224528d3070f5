// Package stack gives new goroutines room.
package stack

import "runtime"

// Grow enlarges the stack of a new goroutine once, while there is nothing on it. It
// would otherwise grow step by step in the depth of the call, and every step moves all
// frames, which was a fifth of what a whole stack of middlewares costs.
//
//go:noinline
func Grow() {
	var room [12 << 10]byte // what a call through all of them needs
	runtime.KeepAlive(&room)
}
