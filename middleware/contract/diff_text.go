package contract

import (
	"fmt"
	"strings"
)

// Text returns the changes for people, with a last line feed; the empty text if
// there are none.
func (c Changes) Text(lang Language) string {
	names := map[Impact]string{Breaking: "BREAKING", Compatible: "compatible", Cosmetic: "cosmetic"}
	if lang == Spanish {
		names = map[Impact]string{Breaking: "ROMPE", Compatible: "compatible", Cosmetic: "cosmético"}
	}
	var b strings.Builder
	for i := range c {
		change := &c[i]
		fmt.Fprintf(&b, "%s  %s  %s", names[change.Impact], change.Tool, change.Kind)
		if change.Pointer != "" {
			b.WriteString("  " + clipPointer(change.Pointer))
		}
		b.WriteString("\n    " + change.Message.In(lang) + "\n    " + change.Gateway.In(lang) + "\n")
	}
	return b.String()
}
