package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/contract"
)

type report struct {
	Mes      string `json:"mes"`
	Facturas int64  `json:"facturas"`
}

func reportTool() mcp.Tool {
	return mcp.NewTool("generar_reporte",
		mcp.WithDescription("Reúne las facturas de un mes en un informe. No sirve para pagar."),
		mcp.WithString("mes", mcp.Required(), mcp.MaxLength(7), mcp.Description("Mes del informe, como 2026-09")),
		contract.Output[report](),
		contract.Writes(contract.Additive, contract.Repeats),
		contract.Tool("generar un informe", contract.Facturacion),
	)
}

// office is a set of tools with deferred work.
type office struct {
	workers *middleware.Workers
	jobs    middleware.Jobs
	tools   map[string]handler
}

func newOffice(h handler, wcfg middleware.WorkersConfig, cfg middleware.DeferredConfig) office {
	return officeOver(middleware.NewJobs(middleware.JobsConfig{}), h, wcfg, cfg)
}

func officeOver(jobs middleware.Jobs, h handler, wcfg middleware.WorkersConfig, cfg middleware.DeferredConfig) office {
	o := office{workers: middleware.NewWorkers(jobs, wcfg), jobs: jobs, tools: map[string]handler{}}
	cfg.Cancel = true
	for _, tool := range middleware.Deferred(o.workers, reportTool(), h, cfg) {
		o.tools[tool.Tool.Name] = middleware.Wrap(tool.Handler, middleware.Errors(middleware.ErrorsConfig{}))
	}
	return o
}

// calling is a call of one of the tools.
func calling(tool, arguments, key string) mcp.CallToolRequest {
	req := paying(key, arguments)
	req.Params.Name = tool
	return req
}

// say makes a call and returns what the client gets, without the jobId.
func (o office) say(ctx context.Context, t *testing.T, req mcp.CallToolRequest) (said, id string) {
	t.Helper()
	res, err := o.tools[req.Params.Name](ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	said = encode(t, res)
	if _, after, ok := strings.Cut(said, `"jobId":"`); ok && len(after) > 26 {
		id = after[:26]
		said = strings.ReplaceAll(said, id, "*")
	}
	return said, id
}

// start begins a job.
func (o office) start(ctx context.Context, t *testing.T, key string) (id string) {
	t.Helper()
	said, id := o.say(ctx, t, calling("iniciar_reporte", `{"mes":"2026-09"}`, key))
	if said != startedResult {
		t.Fatalf("got  %s\nwant %s", said, startedResult)
	}
	return id
}

// ask returns what consultar_reporte answers.
func (o office) ask(ctx context.Context, t *testing.T, id string) string {
	t.Helper()
	said, _ := o.say(ctx, t, calling("consultar_reporte", fmt.Sprintf(`{"jobId":%q}`, id), ""))
	return said
}

// state returns the state of a job in the store.
func (o office) state(t *testing.T, id string) middleware.Job {
	t.Helper()
	job, err := o.jobs.Get(t.Context(), ownerOfTest, id)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// ownerOfTest is that of the calls above, which name the company "cmp".
var ownerOfTest = idempotency.NewDigest("job owner/1", "", "", "cmp")

// success is a result of the tools.
func success(text, data string) string {
	return `{"content":[{"type":"text","text":"` + text + `"}],"structuredContent":{` + data + `}}`
}

// reported is what the work returns.
func reported(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultStructured(report{Mes: req.GetString("mes", ""), Facturas: 1<<53 + 1}, "El informe tiene todas las facturas."), nil
}

const (
	// The clock of a synctest bubble begins there.
	queuedData = `"jobId":"*","queuedAt":"2000-01-01T00:00:00Z"`
	doneResult = `{"content":[{"type":"text","text":"El informe tiene todas las facturas."}],` +
		`"structuredContent":{"status":"done",` + queuedData + `,"result":{"mes":"2026-09","facturas":9007199254740993}}}`
)

var (
	startedResult = success("La solicitud ya está en marcha, y el resultado estará listo en unos minutos.", `"status":"queued",`+queuedData)
	noSuchJob     = failure("NOT_FOUND", "No se encontró una solicitud en curso con ese dato.", `{"code":"job_not_found","field":"jobId"}`)
)

// drain ends the workers, at once if they have ended their work.
func (o office) drain(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	if err := o.workers.Drain(ctx); err != nil {
		t.Error(err)
	}
}

func TestDeferredFromStartToResult(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		step := make(chan struct{})
		o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-step
			middleware.Progress(ctx, 40, "reuniendo   las\nfacturas")
			<-step
			return reported(ctx, req)
		}, middleware.WorkersConfig{Max: 1}, middleware.DeferredConfig{})
		first := o.start(t.Context(), t, "")
		second := o.start(t.Context(), t, "")
		synctest.Wait()
		expect := func(id, want string) {
			t.Helper()
			synctest.Wait()
			if got := o.ask(t.Context(), t, id); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
		expect(first, success("La solicitud sigue en curso.", `"status":"running",`+queuedData))
		expect(second, success("La solicitud está en espera de turno.", `"status":"queued",`+queuedData))
		step <- struct{}{}
		time.Sleep(time.Second)
		expect(first, success("La solicitud sigue en curso. Avance: 40 %. Reuniendo las facturas.",
			`"status":"running",`+queuedData+`,"percent":40,"progress":"reuniendo las facturas"`))
		close(step)
		expect(first, doneResult)
		expect(second, doneResult)
		o.drain(t)
		expect(first, doneResult)
		time.Sleep(24 * time.Hour)
		expect(first, noSuchJob)
	})
}

// What the work returns is what is asked for, whatever it is.
func TestDeferredOutcomes(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("a", 256<<10)
	withheld := failure("BLOCKER", "La solicitud se completó, pero no es posible presentar la respuesta.",
		`{"code":"done_result_withheld","advice":"The operation was completed: do not repeat it. Its result cannot be shown; read the record with another tool."}`)
	tests := []struct {
		name    string
		handler handler
		want    string
	}{
		{"a result", reported, doneResult},
		{"text alone", returns(mcp.NewToolResultText("Listo, <b>sí</b>.")), success("Listo, <b>sí</b>.", `"status":"done",`+queuedData)},
		{"data alone", returns(&mcp.CallToolResult{StructuredContent: map[string]any{"a": "<&>"}}),
			success("La solicitud está lista.", `"status":"done",`+queuedData+`,"result":{"a":"<&>"}`)},
		{"text that repeats the data", returns(mcp.NewToolResultText(`{"a":1}`)), success("La solicitud está lista.", `"status":"done",`+queuedData)},
		{"a failure", fails(errors.NotFound("No hay facturas de ese mes.", errors.WithCode("sin_facturas"))),
			failure("NOT_FOUND", "No hay facturas de ese mes.", `{"code":"sin_facturas"}`)},
		{"a failure that it wrote itself", returns(mcp.NewToolResultError("No hay facturas.")), failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"a foreign error", fails(errors.New("dsn postgres://a:b@c")), failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"a panic", panics("roto"), failure("SYSTEM", "Ocurrió un problema inesperado al atender la solicitud.", `{"code":"panic"}`)},
		{"nothing", returns(nil), failure("SYSTEM", "No llegó ninguna respuesta para esa solicitud.", `{"code":"no_result"}`)},
		{"data that cannot be encoded", returns(&mcp.CallToolResult{StructuredContent: func() {}}), withheld},
		{"too much", returns(mcp.NewToolResultText(large)), withheld},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(tt.handler, middleware.WorkersConfig{}, middleware.DeferredConfig{})
				id := o.start(t.Context(), t, "k")
				o.drain(t)
				if got := strings.ReplaceAll(o.ask(t.Context(), t, id), `\u003c`, "<"); strings.NewReplacer(`\u003e`, ">", `\u0026`, "&").Replace(got) != tt.want {
					t.Errorf("got  %.900s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// To anybody but its owner a job is like one that never was, to the byte.
func TestDeferredIsTheOwnersAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			select {
			case <-release:
				return reported(ctx, req)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}, middleware.WorkersConfig{}, middleware.DeferredConfig{})
		other := middleware.Deferred(o.workers, mcp.NewTool("generar_otro"), reported, middleware.DeferredConfig{})
		o.tools["consultar_otro"] = middleware.Wrap(other[1].Handler, middleware.Errors(middleware.ErrorsConfig{}))
		asixto := call.WithCaller(t.Context(), call.Caller{Name: "asixto", Tenant: "t"})
		id := o.start(asixto, t, "k")
		company := func(tool, id, company string) mcp.CallToolRequest {
			req := calling(tool, fmt.Sprintf(`{"jobId":%q}`, id), "")
			req.Params.Meta.AdditionalFields["com.asixto/companyId"] = company
			return req
		}
		for _, tool := range []string{"consultar_reporte", "cancelar_reporte"} {
			tests := []struct {
				name string
				ctx  context.Context //nolint:containedctx // it says who calls
				req  mcp.CallToolRequest
			}{
				{"another caller", call.WithCaller(t.Context(), call.Caller{Name: "otro", Tenant: "t"}), company(tool, id, "cmp")},
				{"another tenant", call.WithCaller(t.Context(), call.Caller{Name: "asixto", Tenant: "u"}), company(tool, id, "cmp")},
				{"nobody", t.Context(), company(tool, id, "cmp")},
				{"another company", asixto, company(tool, id, "otra")},
				{"another tool", asixto, company("consultar_otro", id, "cmp")},
				{"a job that never was", asixto, company(tool, strings.Repeat("A", 26), "cmp")},
				{"no id", asixto, calling(tool, `{}`, "")},
				{"an empty id", asixto, company(tool, "", "cmp")},
				{"an id that is too long", asixto, company(tool, strings.Repeat("A", 1000), "cmp")},
				{"an id that is a number", asixto, calling(tool, `{"jobId":7}`, "")},
				{"no JSON", asixto, calling(tool, `{"jobId"`, "")},
			}
			for _, tt := range tests {
				if got, _ := o.say(tt.ctx, t, tt.req); got != noSuchJob {
					t.Errorf("%s, %s: got  %s\nwant %s", tool, tt.name, got, noSuchJob)
				}
			}
		}
		close(release)
		o.drain(t)
		if got := o.ask(asixto, t, id); got != doneResult {
			t.Errorf("its owner: got  %s\nwant %s", got, doneResult)
		}
	})
}

func TestDeferredStartsOnceForAKey(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		second mcp.CallToolRequest
		same   bool
		want   string
	}{
		{"the same key", calling("iniciar_reporte", `{ "mes": "2026-09" }`, "k"), true, startedResult},
		{"another key", calling("iniciar_reporte", `{"mes":"2026-09"}`, "k2"), false, startedResult},
		{"no key", calling("iniciar_reporte", `{"mes":"2026-09"}`, ""), false, startedResult},
		{"other arguments", calling("iniciar_reporte", `{"mes":"2026-10"}`, "k"), false,
			failure("VALIDATION", "Esa solicitud ya se registró con otros datos.", `{"code":"idempotency_key_reused"}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var runs atomic.Int64
				o := newOffice(counted(&runs, reported), middleware.WorkersConfig{}, middleware.DeferredConfig{})
				id := o.start(t.Context(), t, "k")
				synctest.Wait()
				got, second := o.say(t.Context(), t, tt.second)
				o.drain(t)
				if got != tt.want || (second == id) != tt.same {
					t.Errorf("got  %s\nwant %s; the same job: %t, want %t", got, tt.want, second == id, tt.same)
				}
				if same := runs.Load() == 1; same != (tt.same || second == "") {
					t.Errorf("ran %d times", runs.Load())
				}
			})
		})
	}
}

func TestDeferredRefusesToStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		o := newOffice(stubborn(stop, reported), middleware.WorkersConfig{Max: 1, MaxQueued: 2, MaxQueuedPerCaller: 2}, middleware.DeferredConfig{})
		for range 3 {
			o.start(t.Context(), t, "")
			synctest.Wait()
		}
		got, _ := o.say(t.Context(), t, calling("iniciar_reporte", `{}`, "k"))
		if want := failure("SYSTEM", "Hay muchas solicitudes pendientes, y conviene intentarlo de nuevo en un minuto.",
			`{"code":"busy","retryable":true,"retry_after_seconds":60}`); got != want {
			t.Errorf("full: got  %s\nwant %s", got, want)
		}
		close(stop)
		o.drain(t)
		got, _ = o.say(t.Context(), t, calling("iniciar_reporte", `{}`, "k"))
		if want := failure("SYSTEM", "En este momento no es posible atender solicitudes que toman tiempo.", `{"code":"job_store","retryable":true}`); got != want {
			t.Errorf("drained: got  %s\nwant %s", got, want)
		}
		got, _ = o.say(t.Context(), t, calling("iniciar_reporte", `{"mes":"`+strings.Repeat("a", 256<<10)+`"}`, "k"))
		if want := failure("VALIDATION", "Los datos de la solicitud no tienen la forma esperada.", `{"code":"invalid_arguments"}`); got != want {
			t.Errorf("too long: got  %.300s\nwant %s", got, want)
		}
		req := calling("iniciar_reporte", `{}`, "")
		req.Params.Meta.AdditionalFields["com.asixto/idempotencyKey"] = 7
		got, _ = o.say(t.Context(), t, req)
		if want := failure("VALIDATION", "La solicitud llegó con un dato interno que no es válido.", `{"code":"invalid_idempotency_key"}`); got != want {
			t.Errorf("a bad key: got  %s\nwant %s", got, want)
		}
	})
}
