package health_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/portavoz/portavoz/health"
)

func BenchmarkRecord(b *testing.B) {
	b.Run("alone", func(b *testing.B) {
		level := mustLevel(b, health.ServiceLevelConfig{})
		b.ReportAllocs()
		for b.Loop() {
			level.Record(123*time.Millisecond, false)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		level := mustLevel(b, health.ServiceLevelConfig{})
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				level.Record(123*time.Millisecond, false)
			}
		})
	})
}

func BenchmarkReport(b *testing.B) {
	now := time.Now()
	level := mustLevel(b, health.ServiceLevelConfig{Now: func() time.Time { return now }})
	for range 60 { // every slot in use
		record(level, 1000, 123*time.Millisecond, false)
		now = now.Add(time.Minute)
	}
	b.ReportAllocs()
	for b.Loop() {
		level.Report()
	}
}

// discard is a writer without the costs of a recorder.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

func BenchmarkServeHTTP(b *testing.B) {
	checks := []health.Check{
		{Name: "db", CacheFor: time.Hour, Probe: healthy},
		{Name: "cache", CacheFor: time.Hour, Probe: healthy},
	}
	level := mustLevel(b, health.ServiceLevelConfig{})
	record(level, 1000, 123*time.Millisecond, false)
	for _, bench := range []struct {
		name, path string
		cfg        health.Config
	}{
		{"livez", "/livez", health.Config{}},
		{"readyz", "/readyz", health.Config{Checks: checks}},
		{"readyz with service level", "/readyz", health.Config{Checks: checks, ServiceLevel: level}},
		{"salud with details", "/salud", health.Config{Checks: checks, ServiceLevel: level, Details: anybody}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			h := started(b, bench.cfg)
			w := discard{http.Header{}}
			r := httptest.NewRequest(http.MethodGet, bench.path, nil)
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(w, r)
			}
		})
	}
}
