package errors

import "errors"

// ErrUnsupported is the standard library's [errors.ErrUnsupported].
var ErrUnsupported = errors.ErrUnsupported

// New is the standard library's [errors.New].
func New(text string) error { return errors.New(text) }

// Is is the standard library's [errors.Is].
func Is(err, target error) bool { return errors.Is(err, target) }

// As is the standard library's [errors.As], and panics as it does. Called
// through here, go vet does not check target; [AsType] needs no check.
func As(err error, target any) bool { return errors.As(err, target) }

// AsType returns the first error in the tree of err that is an E, as [As]
// finds it. It exists because the standard library has it only from Go 1.26.
func AsType[E error](err error) (E, bool) {
	var target E
	ok := errors.As(err, &target)
	return target, ok
}

// Join is the standard library's [errors.Join].
func Join(errs ...error) error { return errors.Join(errs...) }

// Unwrap is the standard library's [errors.Unwrap].
func Unwrap(err error) error { return errors.Unwrap(err) }
