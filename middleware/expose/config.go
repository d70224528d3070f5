package expose

import (
	"cmp"
	"slices"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// Strategy is how the actions of a namespace become tools.
type Strategy uint8

// The strategies. Zero is the one of [Config], which is Flat by default.
const (
	// Flat makes a tool of each action: exact schemas and truthful hints, at the
	// price of the longest list.
	Flat Strategy = iota + 1
	// Grouped makes one tool of a namespace, with a field that names the action. It
	// is shorter where actions share fields. Its hints are those of the most
	// dangerous action, so that a client asks for confirmation of a read, too.
	Grouped
	// Split makes two grouped tools of a namespace, one of the actions that are
	// declared read-only and one of all others, so that reads stay free of
	// confirmation.
	Split
)

// String returns "flat", "grouped" or "split".
func (s Strategy) String() string {
	switch s {
	case Flat:
		return "flat"
	case Grouped:
		return "grouped"
	case Split:
		return "split"
	default:
		return "default"
	}
}

// NameRule is which names of tools the clients take. A description that is longer than
// those clients take is no error, since others take it: it is in the findings.
type NameRule uint8

// The rules for names.
const (
	// ClientNames are ^[a-zA-Z0-9_-]{1,64}$, which every large model provider takes.
	// One tool beyond it makes some clients withhold the whole server. Descriptions
	// have 1,024 characters at most, in UTF-16 code units.
	ClientNames NameRule = iota
	// ContractNames are ^[a-z0-9_]{1,40}$, as Asixto Gateway demands. The names of
	// actions in a discriminator are held to it, too. Descriptions have 700 characters
	// at most.
	ContractNames
)

// Namespace is what holds for the actions of one namespace together.
type Namespace struct {
	// Name is the namespace, such as "billing" or "support.tickets".
	Name string
	// Title is the title of its grouped tool. Those of Split have the suffix of their
	// name behind it: "Facturas (read)". Default: none.
	Title string
	// Description says what the actions have in common. A grouped tool begins with
	// it. Default: its description begins with the list of actions.
	Description string
	// Strategy is how its actions become tools. Default: that of [Config].
	Strategy Strategy
}

// Config says how actions become tools. The zero Config makes a flat surface.
type Config struct {
	// Strategy is how actions become tools in each namespace that does not say so
	// itself. Default: Flat.
	Strategy Strategy
	// Namespaces describes namespaces, in any order. Default: none has a
	// description or a strategy of its own.
	Namespaces []Namespace
	// Separator stands for each dot of a name. Default: "_".
	Separator string
	// Discriminator is the field of a grouped tool that names the action.
	// Default: "action".
	Discriminator string
	// ReadSuffix and WriteSuffix name the two tools of Split.
	// Default: "read" and "write".
	ReadSuffix, WriteSuffix string
	// Names is which names are allowed. Default: ClientNames.
	Names NameRule
	// Compact makes descriptions short. None is longer than the normal one.
	// Default: normal descriptions.
	Compact bool
	// Words are the words that the surface itself says to the model.
	// Default: [English].
	Words Words
	// NullIsAbsent lets a grouped tool take null for every field that some action does
	// without, as Asixto Gateway demands of optional ones: its models send null for
	// what they leave out. A null for a field that the action does not take, or takes
	// no null for, is left out of what the handler gets. Default: null is a value as
	// any other.
	NullIsAbsent bool
	// GroupOutputs gives a grouped tool an outputSchema if each of its actions has
	// one: a oneOf of them where it is certain that no result satisfies two, else an
	// anyOf, since oneOf refuses such a result. Default: a grouped tool has none.
	GroupOutputs bool
	// Visible are the rules of who may know of what; an action is visible if all of
	// them hold, and what it declares itself. Default: what it declares itself.
	Visible []Rule
	// Middleware is applied to each action, under its full name and with its own
	// definition in the call record, whatever tool it was called by. This is the
	// place of a stack: what is added to the server with Use sees the name of the
	// grouped tool alone. Default: middleware.Errors, so that failures are results.
	//
	// A call that leads to no action passes through it as well, so that limits and
	// logs see it: under the name of the tool, with a definition that reads only and
	// takes anything, since nothing runs.
	//
	// A grouped schema admits what one of its actions may refuse. So each call is held
	// to the definition of the action before the handler, unless a middleware.Validate
	// in Middleware has done that already.
	Middleware server.ToolHandlerMiddleware
	// Messages replaces the sentences about arguments that the surface says, by code;
	// see [errors.Messages]. Default: [errors.DefaultMessages].
	Messages errors.Messages
	// SuggestInText adds a block of text with a sentence for each suggestion to a
	// result, after Middleware is done with it: a voice would read it aloud, no budget
	// counts it, and an envelope would not be the only block any more. Default:
	// suggestions are in _meta alone, under [SuggestionsKey].
	SuggestInText bool
}

// Asixto returns what Asixto Gateway asks of the tools of a surface beyond what it asks
// of each: its names, Spanish words, null for whatever some action does without, and
// output schemas. Set the rest, above all Middleware:
//
//	cfg := expose.Asixto(expose.Grouped)
//	cfg.Middleware = stack.Middleware() // of middleware.Asixto
//
// The gateway takes 700 characters of a description: a namespace of more than some six
// actions needs Compact, which [Surface.Findings] tells. What is still missing says
// contract.Require, once the surface is registered.
func Asixto(strategy Strategy) Config {
	return Config{Strategy: strategy, Names: ContractNames, Words: Spanish(), NullIsAbsent: true, GroupOutputs: true}
}

// withDefaults fills in what was not set, and puts in order what may come in any.
func withDefaults(c Config) Config {
	c.Namespaces = slices.Clone(c.Namespaces)
	slices.SortStableFunc(c.Namespaces, func(a, b Namespace) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Strategy, b.Strategy)) // two of one name are reported
	})
	c.Strategy = cmp.Or(c.Strategy, Flat)
	c.Separator = cmp.Or(c.Separator, "_")
	c.Discriminator = cmp.Or(c.Discriminator, "action")
	c.ReadSuffix, c.WriteSuffix = cmp.Or(c.ReadSuffix, "read"), cmp.Or(c.WriteSuffix, "write")
	c.Words.fillIn()
	if c.Middleware == nil {
		c.Middleware = middleware.Errors(middleware.ErrorsConfig{})
	}
	return c
}
