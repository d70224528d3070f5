package main

import (
	"context"
	"slices"

	"github.com/portavoz/portavoz/middleware/contract"
)

// probe asks the server something and judges the answers. It fails only if
// nothing more can be asked.
type probe struct {
	name string
	run  func(*certifier, context.Context) error
}

// probes are what is asked, in this order, after discovery. What a probe
// learns the next ones use: the samples that worked, above all.
var probes = [...]probe{
	{"list", (*certifier).list},
	{"authentication", (*certifier).authentication},
	{"headers", (*certifier).headers},
	{"legacy era", (*certifier).legacyEra},
	{"samples", (*certifier).samples},
	{"failures", (*certifier).failures},
	{"pages", (*certifier).pages},
	{"voice", (*certifier).voice},
	{"writes", (*certifier).writes},
	{"latency", (*certifier).latency},
	{"health", (*certifier).health},
}

// inspections are what every answer of a tool is held against, whatever it was
// called for.
var inspections = [...]func(*certifier, answer){
	(*certifier).inspectAnswer,
	(*certifier).inspectType,
	(*certifier).inspectSize,
	(*certifier).inspectSchema,
	(*certifier).inspectText,
	(*certifier).inspectMedia,
	(*certifier).inspectForbidden,
	(*certifier).inspectFailure,
	(*certifier).inspectEnvelope,
	(*certifier).inspectVoice,
}

// inspect runs the inspections.
func (c *certifier) inspect(a answer) {
	for _, inspection := range inspections {
		inspection(c, a)
	}
}

// liveRules are the demands that only a running server can meet or break, beside
// those of package contract on its definitions. Their ids never change their
// meaning.
func liveRules() []contract.Rule {
	return slices.Concat(
		discoveryRules, authRules, headerRules, legacyRules,
		answerRules, forbiddenRules, failureRules, envelopeRules,
		pageRules, voiceRules, writeRules, latencyRules, healthRules,
	)
}

// The documents that rules come from.
const (
	sourceAsixto = "Asixto Gateway, tool contract"
	sourceWhaapy = "Whaapy, building a compatible MCP server"
	sourceMCP    = "MCP 2026-07-28, base protocol and Streamable HTTP"
	sourceDesign = "design of tool contracts for agents"
)

// The severities, short.
const (
	must   = contract.Must
	should = contract.Should
	hint   = contract.Hint
)

// The JSON-RPC error codes that are told apart.
const (
	codeInvalidParams      = -32602
	codeMethodNotFound     = -32601
	codeHeaderMismatch     = -32020
	codeUnsupportedVersion = -32022
)
