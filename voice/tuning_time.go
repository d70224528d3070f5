package voice

import "time"

// timeTuning is set by the options of dates and times.
type timeTuning struct {
	zone      *time.Location
	weekday   choice
	year      bool
	quarterTo choice
	exact     bool
}

// choice is an option that leaves the default alone until it is used.
type choice uint8

const (
	unset choice = iota
	on
	off
)

// or returns the choice, or the default where none was made.
func (c choice) or(byDefault bool) bool {
	if c == unset {
		return byDefault
	}
	return c == on
}

// In speaks every date and time as it is in the zone, and reads a text without
// an offset as wall time there. Nil, the default, takes a [time.Time] in its own
// location and a text with the offset that it carries. [Zones] finds zones by
// name.
func In(zone *time.Location) Option {
	return func(s *Speaker) { s.zone = zone }
}

// WithYear says the year too: "jueves tres de septiembre de dos mil
// veintiséis".
func WithYear() Option {
	return func(s *Speaker) { s.year = true }
}

// WithWeekday says the days of the week in ranges too: "del jueves tres al
// sábado cinco de septiembre". Single dates have it by default.
func WithWeekday() Option {
	return func(s *Speaker) { s.weekday = on }
}

// WithoutWeekday leaves the day of the week out: "tres de septiembre".
func WithoutWeekday() Option {
	return func(s *Speaker) { s.weekday = off }
}

// QuarterTo decides how three quarters are said: counted towards the next hour
// as the country does it ("un cuarto para las diez", in Spain and the Río de la
// Plata "las diez menos cuarto"), or from the last ("las nueve y cuarenta y
// cinco"). On in Spain, off elsewhere.
func QuarterTo(wanted bool) Option {
	return func(s *Speaker) {
		s.quarterTo = off
		if wanted {
			s.quarterTo = on
		}
	}
}

// Exact says "en punto" after a full hour: "las nueve en punto de la mañana".
func Exact() Option {
	return func(s *Speaker) { s.exact = true }
}
