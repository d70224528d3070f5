package expose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/paginate"
)

// nameRules are what a name of a tool, and its parts, have to match, and how long a
// description may be, in UTF-16 code units.
var nameRules = map[NameRule]struct {
	tool, part  *regexp.Regexp
	demand      string
	description int
}{
	ClientNames: {
		tool: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), part: regexp.MustCompile(`^[a-zA-Z0-9_-]+$`),
		demand: "1 to 64 English letters, digits, hyphens or underscores", description: 1024,
	},
	ContractNames: {
		tool: regexp.MustCompile(`^[a-z0-9_]{1,40}$`), part: regexp.MustCompile(`^[a-z0-9_]+$`),
		demand: "1 to 40 lower-case letters, digits or underscores", description: 700,
	},
}

// split cuts a full name before its last segment. The namespace is "" if there is
// one segment alone.
func split(name string) (namespace, key string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}

// isPath reports whether each segment of a full name, or of a namespace, matches.
func isPath(name string, segment *regexp.Regexp) bool {
	return !slices.ContainsFunc(strings.Split(name, "."), func(s string) bool { return !segment.MatchString(s) })
}

// toolName writes a path as the name of a tool.
func (c *Config) toolName(path string) string { return strings.ReplaceAll(path, ".", c.Separator) }

// checkNames holds the names of tools to the rule, and to each other.
func (c *compiler) checkNames() {
	rule := nameRules[c.cfg.Names]
	from := map[string][]string{}
	for _, u := range c.units {
		from[u.name] = append(from[u.name], u.source())
		if !rule.tool.MatchString(u.name) && isPath(u.source(), rule.part) { // else it was reported
			c.fail(CodeName, u.source(), "the tool would be named "+quoted(u.name)+", and names are "+rule.demand,
				"shorten or change the name, the namespace or the separator")
		}
	}
	for name, sources := range from {
		if sources = union(sources); len(sources) > 1 {
			c.fail(CodeCollision, name, "it would be the name of the tools for "+strings.Join(sources, " and "),
				"rename one of them, or set another separator")
		}
	}
}

// noteLength notes a description that is longer than the clients take.
func (c *compiler) noteLength(u *unit) {
	most := nameRules[c.cfg.Names].description
	n := paginate.UTF16Len(u.full.Description)
	if n <= most {
		return
	}
	remedy := "shorten it"
	switch {
	case u.grouped && c.cfg.Compact:
		remedy = "divide the namespace"
	case u.grouped:
		remedy = "set Config.Compact, or shorten what its actions say"
	}
	c.note(CodeDescription, u.name, fmt.Sprintf("its description has %d characters, and clients take %d", n, most), remedy)
}
