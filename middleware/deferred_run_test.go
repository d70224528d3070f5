package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/contract"
)

func TestDeferredCancel(t *testing.T) {
	t.Parallel()
	cancelling := success("La cancelación quedó pedida, y falta que termine lo que está en curso.", `"status":"cancelling",`+queuedData)
	cancelled := success("La solicitud quedó cancelada.", `"status":"cancelled",`+queuedData)
	ended := func(state string) string {
		return failure("VALIDATION", "Esa solicitud ya había terminado.", fmt.Sprintf(`{"code":"job_ended","status":%q}`, state))
	}
	lost := failure("UNKNOWN", "No fue posible confirmar si esa solicitud llegó a terminar.", `{"code":"job_lost"}`)
	never := make(chan struct{})
	obedient := func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	tests := []struct {
		name    string
		handler handler
		queued  bool // the job waits behind another
		want    string
		after   string
		again   string
	}{
		{"a job in the queue", obedient, true, cancelled, cancelled, ended("cancelled")},
		{"one that heeds its context", obedient, false, cancelling, cancelled, ended("cancelled")},
		{"one that does not, and may still do its work", stubborn(never, reported), false, cancelling, lost, ended("lost")},
		{"one that cannot say what it has done", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return nil, errors.Unknown("")
		}, false, cancelling, failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", ""), ended("failed")},
		{"one that panics", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			panic("roto")
		}, false, cancelling, failure("SYSTEM", "Ocurrió un problema inesperado al atender la solicitud.", `{"code":"panic"}`), ended("failed")},
		{"one that succeeds all the same", func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return reported(ctx, req)
		}, false, cancelling, doneResult, ended("done")},
		{"one that has ended", reported, false, ended("done"), doneResult, ended("done")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				stop := make(chan struct{})
				h := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					select {
					case <-stop:
						return reported(ctx, req)
					default:
						return stubborn(stop, tt.handler)(ctx, req)
					}
				}
				if !tt.queued {
					h = tt.handler
				}
				if strings.HasPrefix(tt.name, "one that does not") {
					h = stubborn(stop, reported)
				}
				o := newOffice(h, middleware.WorkersConfig{Max: 1}, middleware.DeferredConfig{})
				id := o.start(t.Context(), t, "")
				if tt.queued {
					id = o.start(t.Context(), t, "")
				}
				synctest.Wait()
				cancel := func(want string) {
					t.Helper()
					if got, _ := o.say(t.Context(), t, calling("cancelar_reporte", fmt.Sprintf(`{"jobId":%q}`, id), "")); got != want {
						t.Errorf("got  %s\nwant %s", got, want)
					}
				}
				cancel(tt.want)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if got := o.ask(t.Context(), t, id); got != tt.after {
					t.Errorf("after it: got  %s\nwant %s", got, tt.after)
				}
				cancel(tt.again)
				close(stop)
				o.drain(t)
				if got := o.ask(t.Context(), t, id); got != tt.after {
					t.Errorf("in the end: got  %s\nwant %s", got, tt.after)
				}
			})
		})
	}
}

func TestDeferredDeadlineAndWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		o := newOffice(stubborn(stop, reported), middleware.WorkersConfig{Max: 1}, middleware.DeferredConfig{Deadline: 20 * time.Minute, Wait: 30 * time.Minute})
		first, second := o.start(t.Context(), t, ""), o.start(t.Context(), t, "")
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if got, want := o.ask(t.Context(), t, first), success("La solicitud sigue en curso.", `"status":"running",`+queuedData); got != want {
			t.Errorf("at the deadline: got  %s\nwant %s", got, want)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got, want := o.ask(t.Context(), t, first), failure("SYSTEM", "La respuesta tardó más de lo esperado.", `{"code":"timeout"}`); got != want {
			t.Errorf("a second after it: got  %s\nwant %s", got, want)
		}
		time.Sleep(10 * time.Minute)
		if got, want := o.ask(t.Context(), t, second), failure("SYSTEM", "Esa solicitud no llegó a empezar, y conviene iniciarla de nuevo.", `{"code":"job_not_started"}`); got != want {
			t.Errorf("after its wait: got  %s\nwant %s", got, want)
		}
		close(stop)
		o.drain(t)
		if job := o.state(t, first); job.State != middleware.JobFailed || o.state(t, second).Begun != 0 {
			t.Errorf("the first is %s; the second was begun %d times", job.State, o.state(t, second).Begun)
		}
	})
}

// What the handler learns of the call that started it.
func TestDeferredHandlerKnowsItsCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got []string
		rec := newRecorder()
		o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			caller, _ := call.CallerFrom(ctx)
			meta := call.MetaFrom(ctx)
			got = append(got, caller.Name, strings.Join(caller.Scopes, ","), meta.CompanyID, meta.ConversationID, meta.RequestID, meta.IdempotencyKey,
				req.Params.Name, req.GetString("mes", ""), string(req.Params.RawArguments), middleware.RecordFrom(ctx).Definition(ctx).Name,
				fmt.Sprint(len(middleware.EffectKey(ctx, "a")), middleware.EffectKey(ctx, "a") == middleware.EffectKey(ctx, "b")))
			return reported(ctx, req)
		}, middleware.WorkersConfig{Observers: []middleware.Observer{rec.observe}}, middleware.DeferredConfig{})
		middleware.Progress(t.Context(), 1, "fuera de un trabajo")
		o.start(call.WithCaller(t.Context(), call.Caller{Name: "asixto", Scopes: []string{"a", "b"}}), t, "k")
		o.drain(t)
		want := "asixto|a,b|cmp|cnv|req||generar_reporte|2026-09|{\"mes\":\"2026-09\"}|generar_reporte|64 false"
		if strings.Join(got, "|") != want {
			t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
		}
		if ev := rec.next(t); ev.Tool != "generar_reporte" || ev.Outcome != middleware.OutcomeOK || ev.RequestID != "req" {
			t.Errorf("the event is %+v", ev)
		}
	})
}

func TestDeferredPassesTheLint(t *testing.T) {
	t.Parallel()
	o := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{})
	srv := server.NewMCPServer("prueba", "1", server.WithToolCapabilities(false))
	srv.AddTools(middleware.Deferred(o, reportTool(), reported, middleware.DeferredConfig{Cancel: true})...)
	report, err := contract.Lint(contract.Registered(srv), contract.Asixto)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) > 0 {
		t.Errorf("findings:\n%s", report.Text(contract.English))
	}
	if problems := middleware.CheckSchemas(srv); problems != nil {
		t.Error(problems)
	}
	for name, want := range map[string]string{
		"iniciar_reporte":   "Reúne las facturas de un mes en un informe. No sirve para pagar. Toma unos minutos: el resultado se obtiene con consultar_reporte.",
		"consultar_reporte": "Consulta el avance y el resultado de lo que empezó con iniciar_reporte. No sirve para iniciarlo.",
		"cancelar_reporte":  "Cancela lo que empezó con iniciar_reporte y no ha terminado. No sirve para deshacer lo que ya terminó.",
	} {
		if got := srv.GetTool(name).Tool.Description; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// On a server, through the whole stack, in both channels, and held to the schemas.
func TestDeferredOnAServer(t *testing.T) {
	t.Parallel()
	for _, channel := range []string{"chat", "voice"} {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { checkOnAServer(t, channel) })
		})
	}
}

func checkOnAServer(t *testing.T, channel string) {
	t.Helper()
	rec := newRecorder()
	workers := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{})
	srv := server.NewMCPServer("prueba", "1")
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = middleware.Observe(rec.observe)
	srv.Use(stack.Middleware())
	srv.AddTools(middleware.Deferred(workers, reportTool(), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		middleware.Progress(ctx, 40, "Falta https://ejemplo.com")
		time.Sleep(time.Minute)
		return reported(ctx, req)
	}, middleware.DeferredConfig{Say: middleware.JobSentences{Started: "Ya inicié su informe, le aviso en unos minutos."}})...)
	meta := fmt.Sprintf(`"com.asixto/channel":%q,"com.asixto/timezone":"America/Bogota","com.asixto/idempotencyKey":"k"`, channel)
	send := func(tool, arguments string) (text string, data map[string]any) {
		t.Helper()
		var message struct {
			Result struct {
				Content []struct{ Text string }
				Data    map[string]any `json:"structuredContent"`
			}
		}
		raw := answer(t.Context(), t, srv, modernCall(tool, arguments, meta))
		if err := json.Unmarshal([]byte(raw), &message); err != nil || len(message.Result.Content) != 1 {
			t.Fatalf("got %s", raw)
		}
		if ev := rec.next(t); ev.BadResult != nil || ev.ErrorType != "" {
			t.Errorf("%s: %v, %v", tool, ev.BadResult, ev.Err)
		}
		return message.Result.Content[0].Text, message.Result.Data
	}
	text, data := send("iniciar_reporte", `{"mes":"2026-09"}`)
	id, _ := data["jobId"].(string)
	if at, _ := data["queuedAt"].(string); text != "Ya inicié su informe, le aviso en unos minutos." || len(id) != 26 ||
		data["status"] != "queued" || !strings.HasSuffix(at, "-05:00") {
		t.Fatalf("got %s, %v", text, data)
	}
	if _, again := send("iniciar_reporte", `{"mes":"2026-09"}`); again["jobId"] != id {
		t.Errorf("the same key began %v, and before %s", again["jobId"], id)
	}
	time.Sleep(2 * time.Second)
	text, data = send("consultar_reporte", fmt.Sprintf(`{"jobId":%q}`, id))
	want := "La solicitud sigue en curso. Avance: 40 %. Falta https://ejemplo.com."
	if channel == "voice" {
		want = "La solicitud sigue en curso. Avance: cuarenta por ciento. Falta."
	}
	if text != want || data["status"] != "running" || data["percent"] != 40.0 {
		t.Errorf("got %s, %v; want %s", text, data, want)
	}
	if err := workers.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, data = send("consultar_reporte", fmt.Sprintf(`{"jobId":%q}`, id))
	if text != "El informe tiene todas las facturas." || data["status"] != "done" || data["jobId"] != id ||
		data["result"].(map[string]any)["mes"] != "2026-09" {
		t.Errorf("got %s, %v", text, data)
	}
}

func TestDeferredSaysProgressInWords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			middleware.Progress(ctx, 400, "Falta poco.")
			time.Sleep(time.Minute)
			return reported(ctx, req)
		}, middleware.WorkersConfig{}, middleware.DeferredConfig{})
		id := o.start(t.Context(), t, "")
		time.Sleep(2 * time.Second)
		req := calling("consultar_reporte", fmt.Sprintf(`{"jobId":%q}`, id), "")
		req.Params.Meta.AdditionalFields["com.asixto/channel"] = "voice"
		got, _ := o.say(t.Context(), t, req)
		if want := success("La solicitud sigue en curso. Avance: cien por ciento. Falta poco.",
			`"status":"running",`+queuedData+`,"percent":100,"progress":"Falta poco."`); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		o.drain(t)
	})
}

func TestDeferredConfiguration(t *testing.T) {
	t.Parallel()
	jobs := middleware.NewJobs(middleware.JobsConfig{})
	workers := func() *middleware.Workers { return middleware.NewWorkers(jobs, middleware.WorkersConfig{}) }
	for name, misuse := range map[string]func(){
		"nothing":  func() { middleware.Deferred(nil, mcp.Tool{}, nil, middleware.DeferredConfig{}) },
		"negative": func() { middleware.Deferred(workers(), reportTool(), reported, middleware.DeferredConfig{Keep: -1}) },
		"no name":  func() { middleware.Deferred(workers(), mcp.Tool{}, reported, middleware.DeferredConfig{}) },
		"no schema": func() {
			middleware.Deferred(workers(), mcp.Tool{Name: "x", RawOutputSchema: []byte("[]")}, reported, middleware.DeferredConfig{})
		},
		"no jobs":                     func() { middleware.NewWorkers(nil, middleware.WorkersConfig{}) },
		"no workers":                  func() { middleware.NewWorkers(jobs, middleware.WorkersConfig{Max: -1}) },
		"negative Max":                func() { middleware.NewJobs(middleware.JobsConfig{Max: -1}) },
		"negative share":              func() { middleware.NewJobs(middleware.JobsConfig{MaxPerCaller: -1}) },
		"negative share of the queue": func() { middleware.NewWorkers(jobs, middleware.WorkersConfig{MaxQueuedPerCaller: -1}) },
		"a name twice": func() {
			w := workers()
			middleware.Deferred(w, reportTool(), reported, middleware.DeferredConfig{})
			middleware.Deferred(w, reportTool(), reported, middleware.DeferredConfig{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if v, _ := recover().(string); !strings.HasPrefix(v, "portavoz/middleware: ") {
					t.Errorf("recovered %q, want a panic of this package", v)
				}
			}()
			misuse()
		})
	}
}
