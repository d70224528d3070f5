package redact

import "strings"

// trace returns the stack trace that starts with the word at i, from the line
// of its exception on; hi is 0 if there is none.
func (r *scanner) trace(i int) (lo, hi int) {
	s := r.s
	newLine := r.lineStart(i)
	lo = i
	switch s[i] {
	case 'a', 'F':
		if hi = traceLine(s, i, newLine); hi > 0 {
			lo = traceHead(s, i)
		}
	case 'S':
		if newLine && strings.HasPrefix(s[i:], "Stack trace:") {
			lo, hi = traceHead(s, i), endOfLine(s, i)
		}
	case 'T', 'g':
		hi = traceMark(s, i)
	case 'E':
		if strings.HasPrefix(s[i:], `Exception in thread "`) || strings.HasPrefix(s[i:], `Exception in thread \"`) {
			hi = endOfLine(s, i)
		}
	case 'p', 'f':
		if newLine {
			hi = traceMark(s, i)
		}
	}
	if hi == 0 {
		return 0, 0
	}
	return lo, traceEnd(s, hi, s[i] == 'F')
}

// lineStart reports whether only blanks stand before i on its line, or in its
// JSON string.
func (r *scanner) lineStart(i int) bool {
	for r.before(i, blank) {
		i--
	}
	return i <= r.floor || r.s[i-1] == '\n' || r.s[i-1] == '"'
}

// traceHead returns where the name of the exception stands whose first
// frame is at i, on the same line or on the one above; i if it is on neither.
func traceHead(s string, i int) int {
	from := lineStart(s, i)
	if at := exceptionEnd(s[from:i]); at >= 0 {
		return from + at
	}
	if strings.TrimSpace(strings.ReplaceAll(s[from:i], `\t`, "")) != "" {
		return i
	}
	end := from
	for _, ending := range []string{"\n", "\r", `\n`, `\r`} {
		end -= len(s[:end]) - len(strings.TrimSuffix(s[:end], ending))
	}
	above := lineStart(s, end)
	if at := exceptionEnd(s[above:end]); at >= 0 {
		return above + at
	}
	return i
}

// lineStart returns where the line of i starts, or as far as it is worth
// to look.
func lineStart(s string, i int) int {
	from := max(0, i-512)
	at := strings.LastIndexByte(s[from:i], '\n') + 1
	if esc := strings.LastIndex(s[from:i], `\n`); esc >= 0 {
		at = max(at, esc+len(`\n`))
	}
	return from + at
}

// endOfLine returns the end of the line, or of the JSON string in which the
// line stands: a quote that closes nothing on the line.
func endOfLine(s string, i int) int {
	open := false
	for ; i < len(s); i++ {
		switch s[i] {
		case '\n', '\r', '\\':
			if newline(s, i) > 0 {
				return i
			}
			if s[i] == '\\' {
				i++ // an escaped quote is text
			}
		case '"':
			if !open && (i+1 == len(s) || strings.IndexByte(",}]", s[i+1]) >= 0) {
				return i
			}
			open = !open
		}
	}
	return len(s)
}

// exceptionEnd returns where the line names an exception: a class whose name
// ends as such names do, before a colon or the end of the line. It returns -1
// if it does not.
func exceptionEnd(line string) int {
	for i := 0; i < len(line); {
		end := i
		for isByte(line, end, alnum|dot|dash) || end < len(line) && line[end] == '$' {
			end++
		}
		if end == i {
			i++
			continue
		}
		class := line[i:end]
		named := strings.HasSuffix(class, "Error") || strings.HasSuffix(class, "Exception") || strings.HasSuffix(class, "Throwable")
		if named && (end == len(line) || line[end] == ':') {
			return i
		}
		i = end
	}
	return -1
}

// traceEnd returns the end of the trace whose lines up to i are known.
// frame says that the last one was Python's, which the source follows.
func traceEnd(s string, i int, frame bool) int {
	for {
		at, lines, indent := indent(s, i)
		if at == len(s) || lines > 2 {
			return i
		}
		end := traceLine(s, at, lines > 0)
		if end == 0 && frame && lines == 1 && (indent > 0 || exceptionEnd(s[at:endOfLine(s, at)]) == 0) {
			end = endOfLine(s, at)
		}
		if end == 0 {
			return i
		}
		i, frame = end, s[at] == 'F' || frame && indent > 0
	}
}

// indent returns where the next text after i stands, how many lines
// further and how far from its margin.
func indent(s string, i int) (at, lines, indent int) {
	for i < len(s) {
		w := newline(s, i)
		switch {
		case w > 0:
			i, lines, indent = i+w, lines+1, 0
		case isByte(s, i, blank):
			i, indent = i+1, indent+1
		case strings.HasPrefix(s[i:], `\t`):
			i, indent = i+2, indent+1
		default:
			return i, lines, indent
		}
	}
	return i, lines, indent
}

// traceLines start the lines that only a stack trace has, apart from its
// frames.
var traceLines = [...]string{
	"goroutine ", "created by ", "panic: ", "fatal error: ", "[signal ", "[recovered", "exit status ", // Go
	"Caused by: ", "Suppressed: ", "... ", "--- End of ", // Java, .NET
	"Traceback (most recent call last)", "During handling of ", "The above exception ", // Python
	"Stack trace:", "#0 ", "#1 ", "#2 ", "#3 ", "#4 ", "#5 ", "#6 ", "#7 ", "#8 ", "#9 ", "thrown in ", // PHP
}

// traceLine returns the end of the line of a trace that starts at i, 0 if
// it is none. Frames of JavaScript and Java may stand in the middle of a line.
func traceLine(s string, i int, newLine bool) int {
	switch {
	case s[i] == 'a':
		return frame(s, i, newLine)
	case s[i] == 'F':
		return pythonFrame(s, i)
	case !newLine:
		return 0
	}
	if end := traceMark(s, i); end > 0 {
		return end
	}
	return goFrame(s, i)
}

// traceMark returns the end of the line at i if it starts as only a line
// of a trace does, 0 if not.
func traceMark(s string, i int) int {
	for _, start := range traceLines {
		if !strings.HasPrefix(s[i:], start) {
			continue
		}
		if id := i + len(start); start == "goroutine " && !strings.HasPrefix(s[runEnd(s, id, digit):], " [") {
			return 0
		}
		return endOfLine(s, i)
	}
	return 0
}

// frame returns the end of the frame "at ..." at i, 0 if it is none:
//
//	at com.a.B.c(B.java:12)
//	at f (/app/x.js:1:2)
//	at /app/x.js:1:2
//	at A.B.C(String d) in C:\app\x.cs:line 12
func frame(s string, i int, newLine bool) int {
	const longest = 400
	if !strings.HasPrefix(s[i:], "at ") {
		return 0
	}
	from := i + len("at ")
	for _, adverb := range []string{"async ", "new "} {
		if strings.HasPrefix(s[from:], adverb) {
			from += len(adverb)
		}
	}
	rest := s[from:min(len(s), from+longest)]
	if end := strings.IndexAny(rest, "\r\n\""); end >= 0 {
		rest = rest[:end]
	}
	word := rest
	if end := strings.IndexAny(rest, ` \`); end >= 0 {
		word = rest[:end]
	}
	if strings.Count(word, ":") >= 2 && located(strings.TrimRight(word[:strings.LastIndexByte(word, ':')], ":")) && located(word) {
		return from + len(word)
	}
	open := strings.IndexByte(rest, '(')
	end := strings.IndexByte(rest, ')')
	if open <= 0 || end < open || strings.Contains(rest[:end], Placeholder) {
		return 0
	}
	callee, args := rest[:open], rest[open+1:end]
	end += from + 1
	switch {
	case located(args), args == "Native Method", args == "Unknown Source", args == "<anonymous>", args == "native":
	case newLine && strings.Contains(callee, ".") && !strings.ContainsAny(callee, " ,"):
	default:
		return 0
	}
	tail := s[end:min(len(s), end+longest)]
	if at := strings.Index(tail, ":line "); strings.HasPrefix(tail, " in ") && at > 0 && strings.IndexByte(tail[:at], '\n') < 0 {
		return runEnd(s, end+at+len(":line "), digit)
	}
	if at := strings.IndexByte(tail, ']'); at > 0 && (strings.HasPrefix(tail, " [") || strings.HasPrefix(tail, " ~[")) {
		return end + at + 1
	}
	return end
}

// located reports whether a place in a file ends with a line number.
func located(place string) bool {
	colon := strings.LastIndexByte(place, ':')
	return colon > 0 && colon+1 < len(place) && runEnd(place, colon+1, digit) == len(place) &&
		strings.ContainsAny(place[:colon], "./:>")
}

// pythonFrame returns the end of `File "x.py", line 1, in f` at i, 0 if
// it is something else.
func pythonFrame(s string, i int) int {
	if !strings.HasPrefix(s[i:], `File "`) && !strings.HasPrefix(s[i:], `File \"`) {
		return 0
	}
	rest := s[i:min(len(s), i+400)]
	at := strings.Index(rest, `", line `)
	if at < 0 || strings.IndexByte(rest[:at], '\n') >= 0 {
		return 0
	}
	return endOfLine(s, i+at+len(`", line `))
}

// goFrame returns the end of the line or the two lines of a Go frame at
// i, 0 if it is none: a call, and below of it the place, or the place alone.
func goFrame(s string, i int) int {
	end := endOfLine(s, i)
	if goPlace(s[i:end]) {
		return end
	}
	if !strings.HasSuffix(s[i:end], ")") {
		return 0
	}
	at, lines, _ := indent(s, end)
	if end = endOfLine(s, at); lines == 1 && goPlace(s[at:end]) {
		return end
	}
	return 0
}

func goPlace(line string) bool {
	at := strings.Index(line, ".go:")
	return at > 0 && isByte(line, at+len(".go:"), digit) && strings.IndexByte(line[:at], ' ') < 0
}
