package main

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/portavoz/portavoz/middleware/contract"
)

// burst is how often one key is sent at once.
const burst = 20

var writeRules = []contract.Rule{{
	ID: "write-key-twice", Asixto: must,
	Demand: say("La misma clave dos veces da el mismo resultado.", "The same key twice gives the same result."),
	Fix:    say("Agregue middleware.Idempotency con un Store, antes de toda guarda.", "Add middleware.Idempotency with a Store, before every guard."),
	Cure:   "middleware.Idempotency", Source: sourceAsixto,
}, {
	ID: "write-key-burst", Asixto: must,
	Demand: say("La misma clave veinte veces a la vez da un solo resultado.", "The same key twenty times at once gives a single result."),
	Fix:    say("Reserve la clave de forma atómica: middleware.Idempotency lo hace.", "Claim the key atomically: middleware.Idempotency does."),
	Cure:   "middleware.Idempotency", Source: sourceAsixto,
}, {
	ID: "write-cut-connection", Asixto: must,
	Demand: say("Tras una conexión cortada, la misma clave da el resultado de la operación.", "After a connection was cut, the same key gives the result of the operation."),
	Fix:    say("Con middleware.Idempotency la escritura sigue aunque se corte la conexión.", "With middleware.Idempotency the write goes on when the connection is cut."),
	Cure:   "middleware.Idempotency", Source: sourceAsixto,
}, {
	ID: "write-key-arguments", Asixto: must,
	Demand: say("La misma clave con otros argumentos se rechaza.", "The same key with other arguments is refused."),
	Fix:    say("Agregue middleware.Idempotency, que compara los argumentos.", "Add middleware.Idempotency, which compares the arguments."),
	Cure:   "middleware.Idempotency", Source: sourceDesign,
}, {
	ID: "write-key-other", Asixto: hint,
	Demand: say("Otra clave es otra operación.", "Another key is another operation."),
	Fix:    say("No guarde resultados por los argumentos, sino por la clave.", "Keep results by the key, not by the arguments."),
	Cure:   "middleware.Idempotency", Source: sourceAsixto,
}, {
	ID: "write-key-invalid", Asixto: must,
	Demand: say("Una clave que no es un texto se rechaza con VALIDATION y no se ignora.", "A key that is no string is refused with VALIDATION and not ignored."),
	Fix:    say("Agregue middleware.Idempotency.", "Add middleware.Idempotency."),
	Cure:   "middleware.Idempotency", Source: sourceAsixto,
}}

// writes runs the tools that write and were allowed, as a gateway does that has
// lost an answer.
func (c *certifier) writes(ctx context.Context) error {
	var forbidden []string
	ran := false
	for _, t := range c.tools {
		switch {
		case t.reads || c.stopped:
		case !c.opt.mayWrite(t.name):
			forbidden = append(forbidden, quote(t.name))
		default:
			ran = true
			(&writer{c: c, t: t}).run(ctx)
		}
	}
	var all []string
	for i := range writeRules {
		all = append(all, writeRules[i].ID)
	}
	if len(forbidden) > 0 {
		names := strings.Join(forbidden, ", ")
		c.note(say("Herramientas que escriben y no se llamaron (-allow-writes): "+names+".", "Tools that write and were not called (-allow-writes): "+names+"."))
	}
	switch {
	case ran:
		c.skip(say("ninguna escritura funcionó con los argumentos de muestra", "no write worked with the sample arguments"), all...)
	case len(forbidden) > 0:
		c.skip(say("sin -allow-writes", "without -allow-writes"), all...)
	default:
		c.skip(say("ninguna herramienta escribe", "no tool writes"), all...)
	}
	return nil
}

// writer runs one tool that writes.
type writer struct {
	c     *certifier
	t     *tool
	args  map[string]any // of the first operation
	first answer
}

func (w *writer) run(ctx context.Context) {
	args, guess := w.c.arguments(w.t, 0)
	w.args = args
	key := w.c.fresh("key")
	if w.first = w.call(ctx, args, key); !w.first.success() {
		w.c.unsampled(w.t, w.first, guess)
		return
	}
	w.t.sampled = args
	w.same(w.call(ctx, args, key), "write-key-twice", w.first)
	w.c.call(ctx, w.t, args, callInfo{conversation: w.c.person, key: key, voice: true}) // for the rules of voice
	if other, ok := w.c.otherArguments(w.t, args); ok {
		a := w.call(ctx, other, key)
		w.c.expect(!a.success(), "write-key-arguments", w.t.name, "", say(
			"La misma clave con otros argumentos recibió un éxito.", "The same key with other arguments got a success."))
	} else {
		w.c.skip(say("no hay otros argumentos: dé dos juegos en -args", "there are no other arguments: give two sets in -args"), "write-key-arguments")
	}
	w.burst(ctx)
	w.cut(ctx)
	w.otherKey(ctx)
	a := w.call(ctx, w.set(4), 7)
	w.c.expect(!a.success(), "write-key-invalid", w.t.name, "", say(
		"La clave 7 recibió un éxito.", "The key 7 got a success."))
}

func (w *writer) call(ctx context.Context, args map[string]any, key any) answer {
	return w.c.call(ctx, w.t, args, callInfo{conversation: w.c.person, key: key})
}

// set are the arguments of the i-th operation: those of the first one, unless the file
// has more.
func (w *writer) set(i int) map[string]any {
	if sets := w.c.opt.samples[w.t.name]; i < len(sets) {
		return sets[i]
	}
	return w.args
}

// once reports whether an operation was refused that is likely to be possible
// only once, and was done before with the same arguments. It proves nothing then.
func (w *writer) once(a answer, args map[string]any, rule string) bool {
	if !a.failed || a.failure.Type == "SYSTEM" || a.failure.Type == "UNKNOWN" || !equalJSON(args, w.args) {
		return false
	}
	w.c.skip(say("la operación no se puede hacer dos veces a lo mismo", "the operation cannot be done twice to one thing"), rule)
	w.c.note(say(
		rule+", "+quote(w.t.name)+": la operación no se puede hacer dos veces a lo mismo; dé cinco juegos de argumentos en -args.",
		rule+", "+quote(w.t.name)+": the operation cannot be done twice to one thing; give five sets of arguments in -args."))
	return true
}

// same demands the result that was given before.
func (w *writer) same(a answer, rule string, before answer) {
	w.c.expect(a.success() && a.data() == before.data(), rule, w.t.name, "", say(
		"Con la misma clave recibió "+a.said()+", y no el mismo resultado.", "With the same key it got "+a.said()+", and not the same result."))
}

// burst sends one key many times at once.
func (w *writer) burst(ctx context.Context) {
	args, key := w.set(1), w.c.fresh("key")
	answers := make([]answer, burst)
	var start, all sync.WaitGroup
	start.Add(1)
	for i := range answers {
		all.Go(func() {
			start.Wait()
			m := callMessage(w.t.name, args, callInfo{conversation: w.c.person, key: key})
			answers[i] = readAnswer(w.t, false, w.c.wire.send(ctx, m))
		})
	}
	start.Done()
	all.Wait()
	w.c.asked += burst
	if w.c.halted(ctx) {
		return
	}
	results := map[string]bool{}
	for i := range answers {
		if a := &answers[i]; a.success() {
			results[a.data()] = true
		}
	}
	settled := w.call(ctx, args, key)
	if len(results) == 0 && w.once(settled, args, "write-key-burst") {
		return
	}
	w.c.expect(settled.success(), "write-key-burst", w.t.name, "", say(
		"Después de la ráfaga la clave recibió "+settled.said()+".", "After the burst the key got "+settled.said()+"."))
	results[settled.data()] = true
	n := strconv.Itoa(len(results))
	w.c.expect(len(results) == 1, "write-key-burst", w.t.name, "", say(
		"Hubo "+n+" resultados distintos.", "There were "+n+" different results."))
	refused := slices.IndexFunc(answers, func(a answer) bool { return a.failed && a.failure.Type != "" && a.failure.Type != "SYSTEM" })
	if refused >= 0 {
		said := answers[refused].said()
		w.c.find("write-key-burst", w.t.name, "", say("A la vez recibió "+said+".", "At once it got "+said+"."))
	}
}

// cut breaks the connection while the call is under way, and asks again with
// the same key, as the gateway does.
func (w *writer) cut(ctx context.Context) {
	args, key := w.set(2), w.c.fresh("key")
	w.c.cutCall(ctx, w.t, args, callInfo{conversation: w.c.person, key: key})
	again := w.call(ctx, args, key)
	if w.c.stopped || w.once(again, args, "write-cut-connection") {
		return
	}
	w.c.expect(again.success(), "write-cut-connection", w.t.name, "", say(
		"Tras el corte la misma clave recibió "+again.said()+".", "After the cut the same key got "+again.said()+"."))
	if again.success() {
		w.same(w.call(ctx, args, key), "write-cut-connection", again)
	}
}

// otherKey does the first operation once more, as another one.
func (w *writer) otherKey(ctx context.Context) {
	args := w.set(3)
	a := w.call(ctx, args, w.c.fresh("key"))
	if a.success() && !w.t.idempotent && equalJSON(args, w.args) {
		w.c.expect(a.data() != w.first.data(), "write-key-other", w.t.name, "", say(
			"Otra clave recibió el mismo resultado.", "Another key got the same result."))
	} else if a.ok() {
		w.c.check("write-key-other")
	}
}

// cutCall sends a call and closes the connection as soon as it is on its way.
func (c *certifier) cutCall(ctx context.Context, t *tool, args map[string]any, info callInfo) {
	req, err := c.wire.request(ctx, callMessage(t.name, args, info))
	if err != nil {
		return
	}
	c.asked++
	transport := &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment}
	defer transport.CloseIdleConnections()
	cutting, cut := newCut(req)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if res, err := transport.RoundTrip(cutting); err == nil {
			_ = res.Body.Close()
		}
	}()
	cut.afterWritten(ctx, c)
	<-ended
}
