package main

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/middleware/contract"
)

// The light load: what a handful of conversations ask for.
const (
	loadCalls   = 20 // of each tool
	loadWorkers = 2
	loadTools   = 10
)

// The times that a person on the phone notices.
const (
	target  = 2 * time.Second
	silence = 3 * time.Second
)

var latencyRules = []contract.Rule{{
	ID: "latency-target", Asixto: should, Core: hint,
	Demand: say("El p95 de una lectura está por debajo de 2 s.", "The p95 of a read is below 2 s."),
	Fix:    say("Guarde lo que cambia poco, o parta la herramienta: una inicia, otra consulta.", "Keep what changes little, or split the tool: one starts, another one asks."),
	Cure:   "middleware.Timeout", Source: sourceAsixto,
}, {
	ID: "latency-silence", Asixto: must, Core: should,
	Demand: say("El p95 de una lectura está por debajo de 3 s: después se oye silencio.", "The p95 of a read is below 3 s: beyond it there is audible silence."),
	Fix:    say("Parta la herramienta: una inicia y devuelve un código, otra consulta el estado.", "Split the tool: one starts and returns a code, another one reads the state."),
	Cure:   "middleware.Timeout", Source: sourceAsixto,
}}

// figure is how long a tool took, over the wire.
type figure struct {
	Tool  string        `json:"tool"`
	Calls int           `json:"calls"`
	P50   time.Duration `json:"p50"` // nanoseconds
	P95   time.Duration `json:"p95"`
}

// latency calls every read that worked some times, two at once.
func (c *certifier) latency(ctx context.Context) error {
	for _, t := range c.tools {
		if !t.reads || t.sampled == nil || c.stopped || len(c.figures) == loadTools {
			continue
		}
		times := c.load(ctx, t)
		if c.halted(ctx) || len(times) == 0 {
			continue
		}
		c.judgeLatency(t, times)
	}
	c.skip(say("ninguna lectura funcionó con los argumentos de muestra", "no read worked with the sample arguments"), "latency-target", "latency-silence")
	return nil
}

// judgeLatency holds the times of a tool against what a person bears.
func (c *certifier) judgeLatency(t *tool, times []time.Duration) {
	f := figure{Tool: quote(t.name), Calls: len(times), P50: percentile(times, 50), P95: percentile(times, 95)}
	c.figures = append(c.figures, f)
	why := say("El p95 es de "+seconds(f.P95)+" s.", "The p95 is "+seconds(f.P95)+" s.")
	c.expect(f.P95 < silence, "latency-silence", t.name, "", why)
	c.expect(f.P95 < target || f.P95 >= silence, "latency-target", t.name, "", why)
}

// load returns how long the calls took that succeeded.
func (c *certifier) load(ctx context.Context, t *tool) []time.Duration {
	took := make([]time.Duration, c.opt.load)
	infos := make([]callInfo, c.opt.load)
	for i := range infos {
		infos[i].conversation = c.fresh("conversation")
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range loadWorkers {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(took)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if a := readAnswer(t, false, c.wire.send(ctx, callMessage(t.name, t.sampled, infos[i]))); a.success() {
					took[i] = a.took
				}
			}
		})
	}
	workers.Wait()
	c.asked += len(took)
	return slices.DeleteFunc(took, func(d time.Duration) bool { return d == 0 })
}

// percentile is the nearest rank; it sorts.
func percentile(times []time.Duration, p int) time.Duration {
	slices.Sort(times)
	return times[max((len(times)*p+99)/100, 1)-1]
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) }
