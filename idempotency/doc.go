// Package idempotency runs an operation once per key.
package idempotency
