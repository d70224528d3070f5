package middleware

import "runtime"

// makeRoom enlarges the stack of a new goroutine once, while there is nothing on
// it. It would otherwise grow step by step in the depth of the call, and every step
// moves all frames, which was a fifth of what a whole stack of middlewares costs.
// The goroutines of package idempotency do the same.
//
//go:noinline
func makeRoom() {
	var room [12 << 10]byte // what a call through all of them needs
	runtime.KeepAlive(&room)
}
