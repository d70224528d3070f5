package idempotency_test

import (
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg    idempotency.Config
		fields []string
	}{
		"zero":             {idempotency.Config{}, nil},
		"negative":         {idempotency.Config{TTL: -1, Lease: -1, RunLimit: -1, MaxResult: -1, MaxRunning: -1, MaxUnsettled: -1}, []string{"TTL", "Lease", "RunLimit", "MaxResult", "MaxRunning", "MaxUnsettled"}},
		"lease as TTL":     {idempotency.Config{TTL: time.Minute, Lease: time.Minute}, []string{"Lease"}},
		"TTL under lease":  {idempotency.Config{TTL: time.Second}, []string{"Lease"}},
		"probe and rerun":  {idempotency.Config{Probe: probeNone, Rerun: true}, []string{"Probe"}},
		"all but one fine": {idempotency.Config{TTL: time.Hour, MaxResult: -1}, []string{"MaxResult"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, err := idempotency.New(newStore(t), tc.cfg)
			if (engine == nil) != (len(tc.fields) > 0) || (err == nil) != (len(tc.fields) == 0) {
				t.Fatalf("New = %v, %v; want problems with %v", engine, err, tc.fields)
			}
			if err == nil {
				return
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(tc.fields) {
				t.Fatalf("got %q, want problems with %v", lines, tc.fields)
			}
			for i, field := range tc.fields {
				if !strings.HasPrefix(lines[i], "portavoz/idempotency: "+field+": ") {
					t.Errorf("got %q, want a problem with %s", lines[i], field)
				}
			}
			if _, ok := errors.AsType[*idempotency.ConfigError](err); !ok {
				t.Errorf("got a %T, want a *ConfigError in it", err)
			}
		})
	}
	if _, err := idempotency.New(nil, idempotency.Config{TTL: -1}); err == nil || !strings.Contains(err.Error(), "store: is nil") || !strings.Contains(err.Error(), "TTL") {
		t.Errorf("New(nil) = %v, want both problems", err)
	}
}

func TestDoRefuses(t *testing.T) {
	t.Parallel()
	engine := newEngine(t, newStore(t), idempotency.Config{})
	_, err := engine.Do(t.Context(), operation(""), never(t))
	wantError(t, err, errors.TypeValidation, errors.CodeKeyRequired, errors.EffectNone)
	if v := caught(func() { _, _ = engine.Do(t.Context(), operation("k"), nil) }); v == nil || !strings.HasPrefix(v.(string), "portavoz/idempotency: ") {
		t.Errorf("a nil function gave panic %v, want one of this package", v)
	}
}
