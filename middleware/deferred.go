package middleware

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/voice"
)

// DeferredConfig tunes [Deferred]. The zero value is right for most tools.
type DeferredConfig struct {
	// Name is what the names of the tools end with: iniciar_<name>, consultar_<name>.
	// Default: the name of the definition without its verb, so that generar_reporte
	// gives "reporte".
	Name string
	// Cancel adds a third tool, cancelar_<name>. It ends the context of the run; a
	// handler that has not returned a second later may still do its work, and its job
	// is lost instead of cancelled. Default: there is none.
	Cancel bool
	// Deadline is when the context of a run ends. A handler that fails then, or has
	// not returned a second later, has failed. Default: 10 minutes.
	Deadline time.Duration
	// Wait is how long a job may wait for a worker; after that it does not run.
	// Default: 1 hour.
	Wait time.Duration
	// Keep is how long it can be asked for after it has ended. Default: 24 hours.
	Keep time.Duration
	// Rerun begins a job again whose worker died, three times at most. Only for
	// handlers whose effects may happen twice, or that protect them by [EffectKey].
	// Default: false, such a job is lost.
	Rerun bool
	// Say replaces what the tools say.
	Say JobSentences
}

// JobSentences are what the tools of [Deferred] say of a job that has not failed.
// Failures have the sentences of package errors. A handler that has a text for its
// result says that.
type JobSentences struct {
	Started    string // Default: "La solicitud ya está en marcha, y el resultado estará listo en unos minutos."
	Queued     string // Default: "La solicitud está en espera de turno."
	Running    string // Default: "La solicitud sigue en curso."
	Done       string // Default: "La solicitud está lista."
	Cancelling string // Default: "La cancelación quedó pedida, y falta que termine lo que está en curso."
	Cancelled  string // Default: "La solicitud quedó cancelada."
}

func (s JobSentences) withDefaults() JobSentences {
	return JobSentences{
		Started:    cmp.Or(s.Started, "La solicitud ya está en marcha, y el resultado estará listo en unos minutos."),
		Queued:     cmp.Or(s.Queued, "La solicitud está en espera de turno."),
		Running:    cmp.Or(s.Running, "La solicitud sigue en curso."),
		Done:       cmp.Or(s.Done, "La solicitud está lista."),
		Cancelling: cmp.Or(s.Cancelling, "La cancelación quedó pedida, y falta que termine lo que está en curso."),
		Cancelled:  cmp.Or(s.Cancelled, "La solicitud quedó cancelada."),
	}
}

// maxAttempts is how often a job with Rerun is begun.
const maxAttempts = 3

// Deferred makes tools for work that takes longer than a client waits (30 seconds,
// for a gateway). Of one handler and its definition come two, and a third on request:
//
//	iniciar_<name>    takes the arguments, queues a job and answers at once:
//	                  {"status":"queued","jobId":"...","queuedAt":"..."}
//	consultar_<name>  takes a jobId and answers how far the job is: status "queued", "running"
//	                  (with percent and progress, see [Progress]), "cancelling", "cancelled", or
//	                  "done" with the handler's result
//	cancelar_<name>   takes a jobId and ends the job
//
// The definition is that of the work: its description says what it does and when not
// to use it, its outputSchema what the result is. What the tools need beside that, their
// schemas, annotations and texts, is made of it and passes the lint of package
// contract if the definition does.
//
//	tools := middleware.Deferred(workers, generarReporte(), handler, middleware.DeferredConfig{})
//	srv.AddTools(tools...)
//
// # The job
//
// A job belongs to the caller, the tenant and the company of the call that started it.
// To everybody else it does not exist: NOT_FOUND with the code "job_not_found", as for
// a jobId that was never given out. A start with the idempotency key of another start
// gets the same job. The text of no answer holds the jobId, since it may be read aloud.
//
// A job that failed is a failure of consultar_<name>: the handler's own; SYSTEM with
// "timeout" at the deadline; UNKNOWN with "job_lost" if its worker died; SYSTEM with
// "job_not_started" if no worker came in time. A job ends once, and no run of it can
// change that: see [Jobs].
//
// # The handler
//
// It runs in a goroutine of [Workers], maybe in another process, with the arguments as
// they were. Its context has the caller and the metadata of the call that started it,
// without the idempotency key, and nothing else of it: no server, no session, no values
// of yours. A panic is a failure. What surrounds the tools of the server does not
// surround it: wrap it in [Redact], since its result is stored, and in [Retry] as needed.
// Checks such as [Guard] belong around the handler of iniciar_<name>, which a list that
// is returned lets you wrap:
//
//	tools[0].Handler = middleware.Wrap(tools[0].Handler, middleware.Guard(ownAccount))
//
// It panics if workers or handler is nil, the definition has no name or an outputSchema
// that is not a JSON object, a duration is negative, or the workers have a tool of that
// name.
func Deferred(workers *Workers, definition mcp.Tool, handler server.ToolHandlerFunc, cfg DeferredConfig) []server.ServerTool {
	d, err := newDeferred(workers, definition, handler, cfg)
	if err == nil {
		err = workers.add(d)
	}
	if err != nil {
		panic("portavoz/middleware: Deferred: " + err.Error())
	}
	tools := []server.ServerTool{
		{Tool: d.startTool(), Handler: d.start},
		{Tool: d.readTool(), Handler: d.read},
	}
	if d.cfg.Cancel {
		tools = append(tools, server.ServerTool{Tool: d.cancelTool(), Handler: d.cancel})
	}
	return tools
}

// deferred is a tool whose work is deferred.
type deferred struct {
	cfg        DeferredConfig
	workers    *Workers
	definition mcp.Tool
	output     string // the schema of a job with its result
	handler    server.ToolHandlerFunc
	zones      voice.Zones
}

func newDeferred(workers *Workers, definition mcp.Tool, handler server.ToolHandlerFunc, cfg DeferredConfig) (*deferred, error) {
	var problems []error
	if workers == nil || handler == nil {
		problems = append(problems, errors.New("it needs workers and a handler"))
	}
	if cfg.Deadline < 0 || cfg.Wait < 0 || cfg.Keep < 0 {
		problems = append(problems, errors.New("a duration is negative"))
	}
	_, entity, found := strings.Cut(definition.Name, "_")
	if !found {
		entity = definition.Name
	}
	cfg.Name = cmp.Or(cfg.Name, entity)
	if cfg.Name == "" {
		problems = append(problems, errors.New("the definition has no name"))
	}
	output, err := jobSchema(&definition)
	if err != nil {
		problems = append(problems, fmt.Errorf("the outputSchema: %w", err))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	cfg.Deadline = cmp.Or(cfg.Deadline, 10*time.Minute)
	cfg.Wait = cmp.Or(cfg.Wait, time.Hour)
	cfg.Keep = cmp.Or(cfg.Keep, 24*time.Hour)
	cfg.Say = cfg.Say.withDefaults()
	return &deferred{
		cfg: cfg, workers: workers, definition: definition, output: output,
		handler: Wrap(handler, Observe(workers.cfg.Observers...), Recover()),
	}, nil
}

// add makes a tool known to the workers.
func (w *Workers) add(d *deferred) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, taken := w.tools[d.startName()]; taken {
		return fmt.Errorf("the workers have a tool %s already", d.startName())
	}
	w.tools[d.startName()] = d
	return nil
}

func (d *deferred) startName() string  { return "iniciar_" + d.cfg.Name }
func (d *deferred) readName() string   { return "consultar_" + d.cfg.Name }
func (d *deferred) cancelName() string { return "cancelar_" + d.cfg.Name }
