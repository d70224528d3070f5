package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// operator is a small provider of fibre internet: the business behind the
// tools. It is in memory and forgets everything at exit. It is safe for
// concurrent use.
type operator struct {
	items []item // not changed after construction
	now   func() time.Time

	mu           sync.Mutex
	clients      map[string]client // by document, digits only
	appointments map[string]appointment
	cases        map[string][]supportCase // by document
	lastCase     int
}

type client struct {
	document string
	name     string
	plan     item
	state    string
	contact  map[string]string
}

type supportCase struct {
	number      string
	kind        string
	description string
	answerBy    time.Time
}

// newOperator returns the demo data. Its dates are counted from today, so that
// what is programmed lies ahead on whatever day the server starts.
func newOperator(now func() time.Time, zone *time.Location) *operator {
	at := func(days, hour int) time.Time {
		y, m, d := now().In(zone).Date()
		t := time.Date(y, m, d+days, hour, 0, 0, 0, zone)
		if t.Weekday() == time.Sunday { // nobody works then
			t = t.AddDate(0, 0, 1)
		}
		return t
	}
	op := &operator{
		items:        catalogue(),
		now:          func() time.Time { return now().In(zone) },
		clients:      map[string]client{},
		appointments: map[string]appointment{},
		cases:        map[string][]supportCase{},
		lastCase:     2000,
	}
	byName := map[string]item{}
	for _, it := range op.items {
		byName[it.name] = it
	}
	for _, c := range []client{
		{document: "1032456789", name: "Ana María Ríos", plan: byName["Plan Fibra 300"], state: "activo"},
		{document: "79845123", name: "Carlos Andrés Peña", plan: byName["Plan Fibra 500"], state: "activo"},
		{document: "52998877", name: "Luisa Fernanda Gómez", plan: byName["Plan Fibra 100"], state: "suspendido"},
		{document: "900123456", name: "Panadería La Espiga", plan: byName["Plan Fibra Negocio 200"], state: "activo"},
	} {
		c.contact = map[string]string{}
		op.clients[c.document] = c
	}
	for _, a := range []appointment{
		{"V-1042", "1032456789", "cambio de equipo", at(2, 9), programmed},
		{"V-1043", "1032456789", "instalación de extensor", at(9, 14), programmed},
		{"V-1007", "1032456789", "instalación", at(-40, 8), attended},
		{"V-1019", "1032456789", "revisión de señal", at(-12, 15), attended},
		{"V-1025", "1032456789", "traslado", at(-5, 10), cancelled},
		{"V-1051", "79845123", "revisión de señal", at(3, 13), programmed},
		{"V-1055", "900123456", "instalación", at(4, 8), programmed},
	} {
		op.appointments[a.code] = a
	}
	return op
}

// client finds a person by document, written in any way: "CC 1.032.456.789".
func (op *operator) client(document string) (client, error) {
	op.mu.Lock()
	defer op.mu.Unlock()
	c, ok := op.clients[digits(document)]
	if !ok {
		return client{}, errors.NotFound("No encontré un cliente con ese documento.",
			errors.WithField("documento"), errors.WithNextQuestion("¿Me confirma el número de documento?"))
	}
	return c, nil
}

// setContact changes one contact datum of an existing client.
func (op *operator) setContact(document, datum, value string) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.clients[document].contact[datum] = value
}

func (op *operator) openCase(document, kind, description string, within time.Duration) supportCase {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.lastCase++
	c := supportCase{
		number:      fmt.Sprintf("R-%d", op.lastCase),
		kind:        kind,
		description: description,
		answerBy:    op.now().Add(within).Truncate(time.Hour),
	}
	op.cases[document] = append(op.cases[document], c)
	return c
}

func (op *operator) openCases(document string) int {
	op.mu.Lock()
	defer op.mu.Unlock()
	return len(op.cases[document])
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}
