package outline

import (
	"net/url"
	"strconv"
	"strings"
)

// resolve finds the subschema that a reference names, within the same document:
// "#", "#/$defs/cita", "#cita". Everything else is opaque.
func (c *compiler) resolve(ref string, depth int) *node {
	fragment, local := strings.CutPrefix(ref, "#")
	if !local || c.based {
		return c.opaque
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return c.opaque
	}
	if fragment != "" && fragment[0] != '/' {
		pointer, known := c.anchors[fragment]
		if !known || pointer == ambiguous {
			return c.opaque
		}
		fragment = pointer
	}
	schema, ok := lookUp(c.schema, fragment)
	if !ok {
		return c.opaque
	}
	return c.compile(schema, fragment, depth)
}

// lookUp follows a JSON pointer (RFC 6901).
func lookUp(value any, pointer string) (any, bool) {
	if pointer == "" {
		return value, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		ok := false
		switch v := value.(type) {
		case map[string]any:
			value, ok = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if ok = err == nil && i >= 0 && i < len(v) && strconv.Itoa(i) == token; ok {
				value = v[i]
			}
		}
		if !ok {
			return nil, false
		}
	}
	return value, true
}

// escape writes a token of a JSON pointer.
func escape(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// ambiguous takes the place of a pointer where two anchors have the same name.
const ambiguous = "#"

// findAnchors notes the anchors of a document, and whether a part of it has a
// base of its own.
func (c *compiler) findAnchors(value any, pointer string, depth int) {
	if depth > maxDepth {
		c.based = true // not looked at, so it may be
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, keyword := range [...]string{"$id", "id"} {
			if _, ok := v[keyword].(string); ok && pointer != "" {
				c.based = true
			}
		}
		for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
			if name, ok := v[keyword].(string); ok {
				c.anchor(name, pointer)
			}
		}
		for name, part := range v {
			c.findAnchors(part, pointer+"/"+escape(name), depth+1)
		}
	case []any:
		for i, part := range v {
			c.findAnchors(part, pointer+"/"+strconv.Itoa(i), depth+1)
		}
	}
}

func (c *compiler) anchor(name, pointer string) {
	if _, known := c.anchors[name]; known {
		pointer = ambiguous
	}
	c.anchors[name] = pointer
}
