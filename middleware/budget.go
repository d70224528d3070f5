package middleware

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/paginate"
)

// DefaultLimit is how many UTF-16 code units of text, and of data, a gateway's
// runtime takes: it cuts what is beyond, and nobody is told.
const DefaultLimit = 3000

// minRoom is the least room of a budget, in UTF-16 code units. Every failure of
// this module fits in there.
const minRoom = 500

// MediaPolicy says what becomes of images, audio, links to resources and embedded
// resources.
type MediaPolicy uint8

// The policies.
const (
	// DropMedia leaves them out; [Event] says how many there were.
	DropMedia MediaPolicy = iota
	// RefuseMedia makes a failure of the result: SYSTEM, with code "bad_result".
	// The result of a write is not refused, since its effect has happened: there
	// they are left out.
	RefuseMedia
	// KeepMedia is for clients that show them. They count nothing.
	KeepMedia
)

// BudgetConfig tunes [Budget]. The zero value is the contract of Asixto Gateway.
type BudgetConfig struct {
	// Limit is the most that the text of a result may have, and the most that its
	// data may have, in UTF-16 code units. Default: [DefaultLimit].
	Limit int
	// Tools has the limits of single tools, by name. Default: none.
	Tools map[string]int
	// Reserve is what is kept free of every limit for what is put around a result
	// further out, such as an envelope. Limits less the reserve are 500 at least.
	// Default: 0.
	Reserve int
	// Page names the members of a page, so that the page agrees with a list that
	// was shortened. Default: the contract's names; the next offset is looked for
	// under "siguiente_offset".
	Page paginate.Names
	// Media says what becomes of images, audio and resources. Default: [DropMedia],
	// since the gateway shows none to the person.
	Media MediaPolicy
}

// Budget keeps results within the size that a gateway takes: the text blocks
// together, and the JSON of the structured content, each within the limit. It notes
// the size in the call's record.
//
// What is larger is made smaller, the same way each time:
//
//   - the longest list, at any depth, is cut from its end, then the next longest.
//     One item is left at least. The total stays; limit and next offset of the page
//     agree with what is left, see [BudgetConfig.Page];
//   - then the longest texts are cut at the end of a sentence, with "…". Texts with
//     a form of their own (enum, pattern, format, x-portavoz) are left alone, and so
//     are those without white space: identifiers, codes, addresses;
//   - of a write, whose effect has happened, members that its schema does not demand
//     are left out, the largest first;
//   - if all of that is not enough, the result becomes a failure: VALIDATION with
//     code "result_too_large", which tells the model to ask for less. A write
//     becomes BLOCKER with code "done_result_withheld", which says that it is done.
//
// Data that satisfied the tool's outputSchema satisfies it afterwards. A text that
// was the data's JSON, or was made of the data by [Voice], is made again of what is
// left. JSON, characters and surrogate pairs are never cut in the middle.
//
// It belongs outside of everything that makes a result larger. It panics if the
// configuration is wrong.
func Budget(cfg BudgetConfig) server.ToolHandlerMiddleware {
	if err := cfg.check(); err != nil {
		panic("portavoz/middleware: Budget: " + err.Error())
	}
	b := &budget{cfg: cfg, page: newPageNames(cfg.Page), outputs: newOutputs()}
	b.cfg.Tools = maps.Clone(cfg.Tools)
	if cfg.Limit == 0 {
		b.cfg.Limit = DefaultLimit
	}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			outer := rec.await(b)
			res, err := next(ctx, req)
			rec.await(outer)
			if err != nil || res == nil {
				return res, err
			}
			return b.apply(ctx, rec, res), nil
		}
	}
}

func (cfg *BudgetConfig) check() error {
	var problems []error
	limit := func(name string, n int) {
		if n-cfg.Reserve < minRoom {
			problems = append(problems, fmt.Errorf("%s less the reserve is %d, below %d", name, n-cfg.Reserve, minRoom))
		}
	}
	if cfg.Limit != 0 || cfg.Reserve > DefaultLimit-minRoom {
		limit("the limit", max(cfg.Limit, 0))
	}
	for _, tool := range slices.Sorted(maps.Keys(cfg.Tools)) {
		limit("the limit of "+tool, cfg.Tools[tool])
	}
	if cfg.Reserve < 0 {
		problems = append(problems, errors.New("the reserve is negative"))
	}
	if cfg.Media > KeepMedia {
		problems = append(problems, fmt.Errorf("there is no media policy %d", cfg.Media))
	}
	return errors.Join(problems...)
}

type budget struct {
	cfg     BudgetConfig
	page    pageNames
	outputs outputs
}

// room is what a result of the tool may have.
func (b *budget) room(tool string) int {
	if limit, ok := b.cfg.Tools[tool]; ok {
		return limit - b.cfg.Reserve
	}
	return b.cfg.Limit - b.cfg.Reserve
}

// apply returns the result as it may leave.
func (b *budget) apply(ctx context.Context, rec *Record, res *mcp.CallToolResult) *mcp.CallToolResult {
	own, err := rec.seal(res)
	if err != nil {
		return measured(rec, failed(rec, badResult(err)))
	}
	dropped := b.dropMedia(own)
	rec.setDropped(dropped)
	nothing := len(own.Content) == 0 && len(own.RawStructuredContent) == 0
	if dropped > 0 && !own.IsError && (b.cfg.Media == RefuseMedia || nothing) && !rec.done(ctx, own) {
		return measured(rec, failed(rec, badResult(errMedia)))
	}
	switch size, room := sizeOf(own), b.room(rec.tool); {
	case size <= room:
		rec.SetSize(size, dropped > 0 || rec.shortened())
		return own
	case own.IsError:
		out := failed(rec, slim(failureOf(own, nil), room))
		out.Meta = own.Meta
		return measured(rec, out)
	default:
		return measured(rec, b.shrink(ctx, rec, own, room))
	}
}

// measured notes the size of what is left of a result.
func measured(rec *Record, own *mcp.CallToolResult) *mcp.CallToolResult {
	rec.SetSize(sizeOf(own), true)
	return own
}

// shorten makes the data of a result of our own fit, before they are encoded, and
// returns them. What cannot be made to fit is as it was: the budget says what becomes
// of it when it sees the result.
func (b *budget) shorten(ctx context.Context, rec *Record, own *mcp.CallToolResult, doc *document.Document) *document.Document {
	text, room := 0, b.room(rec.tool)
	for _, c := range own.Content {
		if t, ok := textOf(c); ok {
			text += paginate.UTF16Len(t)
		}
	}
	if max(text, doc.Units()) <= room {
		return doc
	}
	s := shrinker{out: b.outputs.of(ctx, rec), page: b.page, room: room, done: rec.done(ctx, own), speak: rec.speaker()}
	short, err := s.result(own, doc.Copy())
	if err != nil {
		return doc
	}
	rec.setShortened()
	return short
}

// shrink makes a success fit, or a failure of it.
func (b *budget) shrink(ctx context.Context, rec *Record, res *mcp.CallToolResult, room int) *mcp.CallToolResult {
	s := shrinker{
		out: b.outputs.of(ctx, rec), page: b.page, room: room,
		done: rec.done(ctx, res), speak: rec.speaker(),
	}
	own, doc, err := rec.openResult(res)
	if err == nil {
		doc, err = s.result(own, doc)
	}
	switch {
	case err == nil && doc != nil:
		rec.closeResult(own, doc)
		return own
	case err == nil:
		return own
	case s.done:
		return failed(rec, withheld(err))
	}
	return failed(rec, errors.Validation("", errors.WithCode(errors.CodeTooLarge), errors.WithCause(err),
		errors.WithDetails(map[string]any{"advice": adviceNarrow})))
}

// adviceNarrow tells the model what to do, in the language of engineers.
const adviceNarrow = "The result is too large. Narrow the question: filter more, use a smaller limit, or ask for one record."

var (
	errMedia    = errors.New("the result has content that the client does not take")
	errTooLarge = errors.New("the result is too large and cannot be shortened")
)

// dropMedia leaves out what is no text and returns how many blocks that were.
func (b *budget) dropMedia(own *mcp.CallToolResult) int {
	if b.cfg.Media == KeepMedia || !slices.ContainsFunc(own.Content, isMedia) {
		return 0
	}
	before := len(own.Content)
	own.Content = slices.DeleteFunc(slices.Clone(own.Content), isMedia)
	return before - len(own.Content)
}

func isMedia(c mcp.Content) bool {
	_, isText := textOf(c)
	return !isText
}

// failed is a failure that this call ends with, noted in its record.
func failed(rec *Record, e *errors.Error) *mcp.CallToolResult {
	rec.fail(e)
	return failureResult(e)
}

// slim is a failure without what is too large to be said. What is left last is the
// type, with the sentence of this module.
func slim(failure *errors.Error, room int) *errors.Error {
	e := *failure
	e.Details = nil
	fits := func() bool { return paginate.UTF16Len(e.AppendJSON(nil)) <= room }
	e.NextQuestion = shorten(e.NextQuestion, minRoom/3)
	if e.UserMessage = shorten(e.UserMessage, minRoom/2); fits() {
		return &e
	}
	e.NextQuestion, e.Field = "", ""
	if fits() {
		return &e
	}
	e.UserMessage, e.Code = "", ""
	return &e
}
