package main

import (
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/portavoz/portavoz/errors"
)

func bogota(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Bogota")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// TestDemoDates: whenever the server starts, what is programmed lies ahead, on
// a working day, and what is over lies behind.
func TestDemoDates(t *testing.T) {
	t.Parallel()
	zone := bogota(t)
	for hour := range 24 * 370 {
		now := time.Date(2027, time.January, 1, hour, 59, 59, 0, time.UTC)
		for _, a := range newOperator(func() time.Time { return now }, zone).appointments {
			if a.when.After(now) != (a.state == programmed) {
				t.Fatalf("at %v: %s is %s on %v", now, a.code, a.state, a.when)
			}
			if a.when.Weekday() == time.Sunday || a.when.Location() != zone {
				t.Fatalf("at %v: %s is on %v", now, a.code, a.when)
			}
		}
	}
}

func TestCancelOnce(t *testing.T) {
	t.Parallel()
	op := newOperator(time.Now, bogota(t))
	var group sync.WaitGroup
	results := make(chan error, 50)
	for range cap(results) {
		group.Go(func() {
			_, err := op.cancel("V-1042")
			results <- err
		})
	}
	group.Wait()
	close(results)
	successes := 0
	for err := range results {
		switch {
		case err == nil:
			successes++
		case !errors.Is(err, errors.TypeValidation):
			t.Errorf("error = %v, want VALIDATION", err)
		}
	}
	if successes != 1 {
		t.Errorf("cancelled %d times, want once", successes)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	op := newOperator(time.Now, bogota(t))
	tests := map[string]struct {
		text  string
		atMin int
		first string // "": nothing is found
	}{
		"common word":        {"plan", 11, "Plan Fibra 100"},
		"another one":        {"fibra", 11, "Plan Fibra 100"},
		"plural":             {"planes de fibra", 11, "Plan Fibra 100"},
		"best match first":   {"plan fibra gamer", 11, "Plan Fibra Gamer 500"},
		"number":             {"fibra 900", 11, "Plan Fibra 900"},
		"case and accents":   {"INSTALACION", 1, "Instalación de fibra"},
		"plural with accent": {"módems", 1, "Módem de fibra"},
		"word of the detail": {"latencia", 2, "Plan Fibra Gamer 500"},
		"not in there":       {"helicóptero", 0, ""},
		"only small words":   {"de la", 0, ""},
		"blank":              {" \t", 0, ""},
		"signs":              {"%_*'\x00", 0, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := op.search(tt.text)
			if len(found) < tt.atMin || (len(found) == 0) != (tt.first == "") {
				t.Fatalf("found %d items, want %d at least", len(found), tt.atMin)
			}
			if len(found) > 0 && found[0].name != tt.first {
				t.Errorf("first = %q, want %q", found[0].name, tt.first)
			}
		})
	}
}

// TestPrice: every price of every list is exact.
func TestPrice(t *testing.T) {
	t.Parallel()
	for _, it := range catalogue() {
		for list, percent := range priceLists {
			if it.pesos*percent%100 != 0 {
				t.Errorf("%s on %s is no whole number of pesos", it.name, list)
			}
		}
	}
	if got, want := (item{pesos: 89900}).price("pl_mayorista"), "76415.00"; got != want {
		t.Errorf("price = %s, want %s", got, want)
	}
}
