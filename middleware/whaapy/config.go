package whaapy

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// Safety is what a tool does to the world, as the agent reads it.
type Safety string

// The values that the annotations of a tool lead to.
const (
	ReadOnly     Safety = "read_only"     // readOnlyHint is true
	ExternalSend Safety = "external_send" // it writes, and openWorldHint is true
	Mutation     Safety = "mutation"      // anything else
)

// Reserve is what [Envelope] adds to the data of a success at most, in UTF-16 code
// units. Give it to [middleware.BudgetConfig].
const Reserve = 640

// minLimit is the least limit: every failure fits in there.
const minLimit = 2_500

// Config tunes [Envelope]. The zero value is right for most servers.
type Config struct {
	// Limit is the most that the envelope may have, in UTF-16 code units, at least
	// 2,500. Default: [middleware.DefaultLimit].
	Limit int
	// KeepStructured leaves structuredContent in the result, for clients that read it.
	// A tool with an outputSchema needs it where the client, or mcp-go, checks results.
	// Default: the text is the only content.
	KeepStructured bool
	// Safety has the safety of single tools, by name, where the annotations do not
	// say it. Default: see [Safety].
	Safety map[string]Safety
	// Questions has what the agent asks the person when a read-only tool finds
	// nothing, by name of the tool: the status is needs_more_info then. With "" an
	// empty page is an answer like any other. Default: a general question for tools
	// whose name begins with buscar, encontrar, localizar, search, find or lookup, and
	// "" for the others.
	Questions map[string]string
	// Evidence names the members of its data by which a write proves what it has done,
	// by name of the tool, such as {"crear_caso": {"ticketId", "status"}}. A success
	// that lacks one, or has an empty one, is reported. Default: none.
	Evidence map[string][]string
	// Strict makes a failure of a success without its evidence. It is for tests.
	// Default: the result is delivered, since its effect has happened.
	Strict bool
	// Report is told what is wrong with a result: an [*EvidenceError], or an
	// [*EnvelopeError]. It is quick, and safe for concurrent use. Default: an error
	// line of [slog.Default].
	Report func(context.Context, error)
	// Redact is what must not leave, for [Stack] and [Add]. Its HideIDs would take the
	// evidence out. Default: secrets and the inside of the server.
	Redact middleware.RedactConfig
	// Messages replaces sentences that this module itself says; see
	// [errors.Messages]. Default: [errors.DefaultMessages].
	Messages errors.Messages
}

func (cfg Config) check() error {
	var problems []error
	if cfg.Limit != 0 && cfg.Limit < minLimit {
		problems = append(problems, fmt.Errorf("the limit is %d, below %d", cfg.Limit, minLimit))
	}
	for _, tool := range slices.Sorted(maps.Keys(cfg.Safety)) {
		if s := cfg.Safety[tool]; s == "" || len(s) > maxSafety {
			problems = append(problems, fmt.Errorf("the safety of %s is empty or longer than %d bytes", tool, maxSafety))
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(cfg.Evidence)) {
		if names := cfg.Evidence[tool]; len(names) == 0 || slices.Contains(names, "") {
			problems = append(problems, fmt.Errorf("the evidence of %s has no name", tool))
		}
	}
	return errors.Join(problems...)
}

// withDefaults returns a copy that is ours, complete.
func (cfg Config) withDefaults() Config {
	if cfg.Limit == 0 {
		cfg.Limit = middleware.DefaultLimit
	}
	cfg.Safety, cfg.Questions = maps.Clone(cfg.Safety), maps.Clone(cfg.Questions)
	cfg.Evidence = maps.Clone(cfg.Evidence)
	for tool, names := range cfg.Evidence {
		cfg.Evidence[tool] = slices.Clone(names)
	}
	if cfg.Report == nil {
		cfg.Report = func(ctx context.Context, err error) {
			slog.Default().LogAttrs(ctx, slog.LevelError, "a result is not what it should be", slog.String("error", err.Error()))
		}
	}
	return cfg
}
