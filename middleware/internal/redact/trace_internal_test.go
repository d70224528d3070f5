package redact

import (
	"strings"
	"testing"
)

// traceTexts are traces as programs print them, after a sentence and
// before another one; both must stay.
var traceTexts = []struct{ name, text string }{
	{"go panic", "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n" +
		"main.(*T).foo(0xc000012345, {0x1, 0x2})\n\t/app/main.go:12 +0x1d\nmain.main()\n\t/app/main.go:5 +0x20\n" +
		"created by main.x in goroutine 1\n\t/app/x.go:5 +0x20\nexit status 2"},
	{"go dump", "goroutine 18 [chan receive, 2 minutes]:\nmain.f(...)\n\tC:/app/x.go:5\n\ngoroutine 19 [select]:\nnet/http.(*conn).serve(0x1)\n\t/go/server.go:1 +0x5"},
	{"go panic with signal", "panic: runtime error: invalid memory address or nil pointer dereference\n" +
		"[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4]\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:5 +0x1"},
	{"java", "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat com.foo.Bar.baz(Bar.java:12)\n" +
		"\tat java.base/java.lang.Thread.run(Thread.java:833) ~[na:na]\nCaused by: java.sql.SQLException: no \"y\"\n" +
		"\tat a.B$C.<init>(B.java)\n\tat a.B.c(Native Method)\n\t... 12 more"},
	{"java without thread", "org.x.Outer$FooException: x\r\n\tat com.foo.Bar.baz(Bar.java:12)\r\n\tat com.foo.Bar.main(Unknown Source)"},
	{"python", "Traceback (most recent call last):\n  File \"/app/x.py\", line 3, in foo\n    bar()\n    ^^^^^\n" +
		"  File \"<string>\", line 1, in <module>\nKeyError: 'x'\n\nDuring handling of the above exception, another exception occurred:\n\n" +
		"Traceback (most recent call last):\n  File \"/app/x.py\", line 5, in <module>\n    foo()\napp.errors.AppError: y"},
	{"python frames alone", "  File \"/app/x.py\", line 3, in foo\n    bar()\nValueError: y"},
	{"javascript", "TypeError: Cannot read properties of undefined (reading 'x')\n    at foo (/app/x.js:1:2)\n" +
		"    at async Bar.baz [as qux] (file:///app/x.mjs:10:20)\n    at new Foo (x.js:1:2)\n    at /app/z.js:3:4\n    at <anonymous>:1:2\n" +
		"    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)"},
	{"javascript on one line", "RangeError: x at foo (/app/x.js:1:2) at Object.<anonymous> (/app/y.js:3:4)"},
	{"javascript with an address", "Error: connect ECONNREFUSED 10.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)"},
	{".net", "System.NullReferenceException: Object reference not set\n   at A.B.C(String d, Int32 x) in C:\\app\\x.cs:line 12\n" +
		"   --- End of inner exception stack trace ---\n   at A.B.<D>b__0()\n   at A.E[T](T x)"},
	{"php", "Exception: no in /x.php:12\nStack trace:\n#0 /var/x.php(3): foo('a')\n#1 {main}\n  thrown in /x.php on line 12"},
}

func TestRedactTextTraces(t *testing.T) {
	t.Parallel()
	forms := []struct {
		name, before, after string
		escape              *strings.Replacer
	}{
		{"text", "No se pudo guardar.\n", "\nIntente de nuevo.", strings.NewReplacer()},
		{"json", `{"stack":"`, `","codigo":500}`, strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, `"`, `\"`)},
	}
	for _, tt := range traceTexts {
		for _, form := range forms {
			t.Run(tt.name+"/"+form.name, func(t *testing.T) {
				t.Parallel()
				text := form.before + form.escape.Replace(tt.text) + form.after
				got, found := Text(text)
				got = strings.Replace(got, "  "+Placeholder, Placeholder, 1) // the margin of a first frame may stay
				if want := form.before + Placeholder + form.after; got != want || found != 1 {
					t.Errorf("Text(%q)\n got %q, %d\nwant %q, 1", text, got, found, want)
				}
				if !LooksInternal(text) {
					t.Errorf("LooksInternal(%q) = false", text)
				}
			})
		}
	}
}

func TestRedactTextNoTraces(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"Abierto at 10:30, at the (new) store.",
		"look at foo.bar(x) and at a.b:12",
		"at home (see page 12:30)",
		"Error: no hay cupo.\nat. 24 horas",
		"File \"informe.pdf\" no existe, line 3",
		"goroutine 7 terminó",
		"Traceback del pago: pendiente",
		"Exception in thread de correos",
		"Caused by: la lluvia",
		"Error: no hay cupo\n#1 Intente luego",
	} {
		if got, found := Text(s); got != s || found != 0 {
			t.Errorf("Text(%q) = %q, %d; want it unchanged", s, got, found)
		}
	}
}
