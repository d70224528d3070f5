package middleware

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/voice"
)

// Voice makes results fit to be heard, when the channel of the call is voice, as
// the contract of Asixto Gateway asks for it:
//
//   - Every list in the data, at any depth, keeps its first three elements. The
//     total stays true, and the page's limit and next offset agree.
//   - Texts lose what nobody can listen to: URLs, e-mail addresses, handles, file
//     names, Markdown, tables, emoji. A text that has none of it keeps every byte,
//     its digits too; one that has is said whole, see [voice.Speaker.Text].
//   - Dates, times, durations, phones and amounts get a member beside them that
//     can be read as it stands: fecha and fecha_texto. What is there already is
//     kept, and cleaned.
//   - The text of the result is what is said: the handler's own in words, or a
//     sentence made of the trimmed data if that has none or is only JSON. Data that
//     came as text alone become structured content.
//   - The sentence of a failure is put into words; the rest of it is not touched.
//
// # What becomes an amount
//
// A number, or decimal text such as "89900.00", is money if its name has a word
// for it (precio, valor, saldo, total_a_pagar, price, amount, ...), no word that
// makes it something else (numero_pago, dia_pago, porcentaje_cargo), and its
// object or one around it names the currency in moneda, divisa or currency. The
// members total, limit and offset are never money. Text such as "89.900" has two
// readings and is left alone. [VoiceField] and the annotation "x-portavoz" decide
// where names do not.
//
// # The output schema
//
// A result that satisfied its schema still does. An object that is closed and does
// not declare fecha_texto gets none; a list that has to have five elements keeps
// five; texts that the schema describes by enum, const, pattern or format are
// identifiers, not prose, and stay. The one exception are links and e-mail
// addresses by format, which become null where they may. What can only be known
// of the whole result, below oneOf or if, is tried, validated, and taken back.
//
// The handler's value is never written to. Results are shaped anew for each call,
// so that a replay in another channel is right for that one. Voice belongs outside
// of [Errors]; see [Stack].
//
// It panics if the configuration is wrong, and says all that is.
func Voice(cfg VoiceConfig) server.ToolHandlerMiddleware {
	if err := cfg.check(); err != nil {
		panic("portavoz/middleware: Voice: " + err.Error())
	}
	v := newVoicing(&cfg)
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			res, err := next(ctx, req)
			if err != nil || res == nil || res.NeedsInput() || !v.always && rec.Meta().Channel != call.Voice {
				return res, err
			}
			return v.shape(ctx, rec, res), nil
		}
	}
}

// voicing is a [VoiceConfig] that is ready for use.
type voicing struct {
	always    bool
	maxItems  int
	suffix    string
	page      pageNames
	total     string
	country   voice.Country
	options   []voice.Option
	zone      *time.Location
	zones     *voice.Zones
	now       func() time.Time
	fields    map[string][]VoiceField // by the last name of the path
	onRemoved func(context.Context, []voice.Piece)
	outputs   outputs
	names     fieldNames

	mu       sync.RWMutex
	speakers map[*time.Location]*speakers
}

// speakers are a zone's: one that says the year of dates, and one that does not.
type speakers struct{ plain, withYear *voice.Speaker }

func newVoicing(cfg *VoiceConfig) *voicing {
	v := &voicing{
		always:    cfg.Always,
		maxItems:  cmp.Or(cfg.MaxItems, 3),
		suffix:    cmp.Or(cfg.Suffix, "_texto"),
		page:      newPageNames(cfg.Page),
		total:     cmp.Or(cfg.Page.Total, "total"),
		country:   cfg.Country,
		options:   append([]voice.Option{voice.WholeUnits(voice.HalfUp)}, cfg.Options...),
		zone:      cfg.Zone,
		zones:     cfg.Zones,
		now:       cfg.Now,
		fields:    make(map[string][]VoiceField),
		onRemoved: cfg.OnRemoved,
		outputs:   newOutputs(),
		speakers:  make(map[*time.Location]*speakers),
	}
	if v.zones == nil {
		v.zones = new(voice.Zones)
	}
	if v.now == nil {
		v.now = time.Now
	}
	for _, f := range cfg.Fields {
		last := f.Field[strings.LastIndexByte(f.Field, '.')+1:]
		v.fields[last] = append(v.fields[last], f)
	}
	return v
}

// mouth is how a call speaks.
func (v *voicing) mouth(rec *Record) *mouth {
	zone := v.zone
	if name := rec.Meta().Timezone; name != "" {
		if named, err := v.zones.Zone(name); err == nil {
			zone = named
		}
	}
	now := v.now()
	if zone != nil {
		now = now.In(zone)
	}
	s := v.speakersIn(zone)
	return &mouth{Speaker: s.plain, withYear: s.withYear, year: strconv.Itoa(now.Year()) + "-"}
}

// maxSpeakers is how many zones are remembered; it is more than there are.
const maxSpeakers = 1024

func (v *voicing) speakersIn(zone *time.Location) *speakers {
	v.mu.RLock()
	s := v.speakers[zone]
	v.mu.RUnlock()
	if s != nil {
		return s
	}
	options := append(slices.Clone(v.options), voice.In(zone))
	s = &speakers{
		plain:    v.country.With(options...),
		withYear: v.country.With(append(options, voice.WithYear())...),
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.speakers) >= maxSpeakers {
		clear(v.speakers)
	}
	v.speakers[zone] = s
	return s
}

// shape returns the result as it is for the ear. A result that cannot be encoded
// is handed on: to say so is for [Errors].
func (v *voicing) shape(ctx context.Context, rec *Record, res *mcp.CallToolResult) *mcp.CallToolResult {
	own, doc, err := rec.openResult(res)
	if err != nil && own == nil {
		return res
	}
	t := &telling{voicing: v, mouth: v.mouth(rec), tool: rec.Tool(), currency: rec.Meta().Currency}
	if own.IsError {
		t.failure(own, doc)
	} else {
		if doc == nil && len(own.RawStructuredContent) == 0 {
			doc = v.documentInText(own)
		}
		if doc != nil {
			doc = t.data(v.outputs.of(ctx, rec), doc)
		}
		t.content(rec, own, doc)
		if b := rec.awaits(); b != nil && doc != nil {
			doc = b.shorten(ctx, rec, own, doc)
		}
	}
	if doc != nil {
		rec.closeResult(own, doc)
	}
	if pieces := t.removed; len(pieces) > 0 && v.onRemoved != nil {
		v.onRemoved(ctx, distinct(pieces))
	}
	return own
}

// telling is one result that is being made fit to be heard.
type telling struct {
	*voicing
	*mouth
	tool     string
	currency string // of the call
	removed  []voice.Piece

	changes edit     // to what is there
	adds    edit     // members that are new, or were empty
	path    []string // of the member that is looked at
	made    []string // the first texts that were made to be heard
}

// data shapes a document. What it returns satisfies the schema if the document
// did. Changes that are only right if the whole is valid are tried first: all of
// them, then without new members, and then only those that are right anyway.
func (t *telling) data(out *output, doc *document.Document) *document.Document {
	original := doc
	for _, try := range [...]struct{ changes, adds outline.Verdict }{
		{outline.IfValid, outline.IfValid}, {outline.IfValid, outline.Yes}, {outline.Yes, outline.Yes},
	} {
		if doc = original; out.declared { // else nothing has to be taken back
			doc = original.Copy()
		}
		t.changes, t.adds, t.removed = edit{least: try.changes}, edit{least: try.adds}, nil
		t.made = t.made[:0]
		t.value(doc.Root(), outline.Place{}, out.root(doc), setting{})
		if !t.changes.unsure && !t.adds.unsure || out.allows(doc) {
			break
		}
	}
	return doc
}

// distinct drops the pieces that are there twice, in order.
func distinct(pieces []voice.Piece) []voice.Piece {
	type same struct {
		kind voice.PieceKind
		text string
	}
	seen := make(map[same]bool, len(pieces))
	return slices.DeleteFunc(pieces, func(p voice.Piece) bool {
		k := same{p.Kind, p.Text}
		was := seen[k]
		seen[k] = true
		return was
	})
}
