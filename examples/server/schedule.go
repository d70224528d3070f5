package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
)

type appointment struct {
	code     string
	document string // whose it is
	kind     string
	when     time.Time
	state    string
}

// The states of an appointment. Only a programmed one can change.
const (
	programmed = "programada"
	attended   = "atendida"
	cancelled  = "cancelada"
)

// appointmentsOf lists what lies ahead first, then what is over, each by date.
// An empty state means any.
func (op *operator) appointmentsOf(document, state string) []appointment {
	op.mu.Lock()
	defer op.mu.Unlock()
	found := slices.Collect(maps.Values(op.appointments))
	found = slices.DeleteFunc(found, func(a appointment) bool {
		return a.document != document || (state != "" && a.state != state)
	})
	over := func(a appointment) int {
		if a.state == programmed {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b appointment) int {
		return cmp.Or(cmp.Compare(over(a), over(b)), a.when.Compare(b.when), cmp.Compare(a.code, b.code))
	})
	return found
}

// errNoAppointment is the answer for an appointment that does not exist and,
// word for word, for one that is somebody else's.
var errNoAppointment = errors.NotFound("No encontré una visita con ese código.", errors.WithField("cita"))

func (op *operator) appointment(code string) (appointment, error) {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.find(code)
}

// cancel closes a programmed appointment. It looks at the state again, under
// the lock: two calls may have passed the guard at the same time.
func (op *operator) cancel(code string) (appointment, error) {
	op.mu.Lock()
	defer op.mu.Unlock()
	a, err := op.find(code)
	if err != nil {
		return appointment{}, err
	}
	if err := a.open(); err != nil {
		return appointment{}, err
	}
	a.state = cancelled
	op.appointments[a.code] = a
	return a, nil
}

// find looks an appointment up; the caller holds the lock.
func (op *operator) find(code string) (appointment, error) {
	a, ok := op.appointments[strings.ToUpper(strings.TrimSpace(code))]
	if !ok {
		return appointment{}, errNoAppointment
	}
	return a, nil
}

// open returns nil while the appointment can still change.
func (a appointment) open() error {
	if a.state == programmed {
		return nil
	}
	return invalid("cita", "Esa visita ya está "+a.state+" y no se puede cambiar.")
}
