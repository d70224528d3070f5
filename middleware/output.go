package middleware

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/outline"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// output is what a tool's output schema says to those who shape its results. It is
// worked out once per definition, see [newOutputs].
type output struct {
	declared bool
	outline  *outline.Outline
	compiled func() *schema.Schema // nil if the schema cannot be compiled
}

// outputs knows the output of every tool.
type outputs struct{ known *perDefinition[*output] }

func newOutputs() outputs { return outputs{newPerDefinition(newOutput)} }

// of returns the output of the tool that was called. A tool that is not known
// declares nothing.
func (o outputs) of(ctx context.Context, rec *Record) *output {
	tool := rec.Definition(ctx)
	if tool == nil {
		return &output{}
	}
	return o.known.of(tool)
}

func newOutput(tool *mcp.Tool) *output {
	raw, err := outputSchemaOf(tool)
	if err != nil {
		raw = []byte("{") // a schema that nobody can read: everything is doubtful
	}
	if len(raw) == 0 {
		return &output{}
	}
	return &output{
		declared: true,
		outline:  outline.Compile(raw),
		compiled: sync.OnceValue(func() *schema.Schema {
			s, err := schema.Compile(raw)
			if err != nil {
				return nil
			}
			return s
		}),
	}
}

// root is what the schema says of the whole result. Without a schema everything is
// allowed.
func (o *output) root(doc *document.Document) outline.Place {
	if !o.declared {
		return outline.Place{}
	}
	return placed(o.outline.Root(), doc.Root())
}

// allows reports whether the schema, as a whole, takes the document: the question
// that remains where outline.IfValid was the answer.
func (o *output) allows(doc *document.Document) bool {
	if !o.declared {
		return true
	}
	s := o.compiled()
	if s == nil {
		return false
	}
	problems, err := s.CheckDocument(doc)
	return err == nil && problems == nil
}

// placed is a place where the value is known: its kind, and the members by which
// the schema tells its branches apart.
func placed(p outline.Place, n *document.Node) outline.Place {
	p = p.As(n.Kind())
	for _, tag := range p.Tags() {
		if member := n.Get(tag); member.Kind() == document.String {
			p = p.Where(tag, member.Text())
		}
	}
	return p
}

// placeOfChild is the place of an element, whose index is i, or of a member.
func placeOfChild(p outline.Place, child *document.Node, i int) outline.Place {
	if child.Parent().Kind() == document.Array {
		return placed(p.Item(i), child)
	}
	return placed(p.Property(child.Name()), child)
}

// edit decides, by what a schema says, which changes are made.
type edit struct {
	least  outline.Verdict // the least answer on which a change is made
	unsure bool            // a change was made that holds only if the whole is valid
}

// may reports whether a change is made to which the schema gives this answer.
func (e *edit) may(v outline.Verdict) bool {
	if v == outline.No || v < e.least {
		return false
	}
	e.unsure = e.unsure || v == outline.IfValid
	return true
}
