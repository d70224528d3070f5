package errors_test

import (
	"fmt"

	"github.com/portavoz/portavoz/errors"
)

// The text of an error is for the log. Put into the sentence, the person hears
// an address of the inner network; given as the cause, only the log has it.
func Example_incorrect() {
	err := errors.New("dial tcp 10.0.0.7:5432: connect: connection refused")

	wrong := errors.System("No se pudo consultar: " + err.Error())
	right := errors.System("No se pudo consultar la agenda.", errors.WithCause(err))

	fmt.Println("wrong:", errors.Messages(nil).For(wrong))
	fmt.Println("right:", errors.Messages(nil).For(right))
	fmt.Println("log:  ", right)
	// Output:
	// wrong: No se pudo consultar: dial tcp 10.0.0.7:5432: connect: connection refused
	// right: No se pudo consultar la agenda.
	// log:   SYSTEM: No se pudo consultar la agenda.: dial tcp 10.0.0.7:5432: connect: connection refused
}
