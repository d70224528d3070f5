package redact

import "strings"

// markers are words that no server writes for a person, in lower case.
var markers = []string{
	// Go
	"goroutine ", "runtime error:", "nil pointer", "invalid memory address", "index out of range [",
	"context deadline exceeded", "context canceled", "unexpected eof", "<nil>", "dial tcp", "dial udp", "dial unix",
	"read tcp", "write tcp", "i/o timeout", "connection refused", "connection reset", "broken pipe", "no such host",
	"no route to host", "too many open files", "no such file or directory", "rpc error:", "cannot unmarshal",
	"invalid character '", "unsupported protocol scheme",
	// databases
	"sqlstate", "ora-0", "pgconn", "duplicate key", "duplicate entry", "violates ", "syntax error at", "deadlock found",
	"bad connection", "wrongtype operation", "access denied for user", "authentication failed for", "no such table",
	"no such column", "unknown column", "permission denied for",
	// other languages
	"traceback (most recent", "exception in thread", "java.lang.", "java.util.", "java.io.", "nullpointerexception",
	"system.nullreference", "stack trace", "stacktrace", "undefined is not", "undefined method", "cannot read propert",
	"is not a function", "is not defined", "econnrefused", "econnreset", "etimedout", "enotfound", "eai_again",
	"node_modules", "node:internal", "uncaught ", "unhandled ", "nonetype", "object has no attribute", "[object object]",
	"segmentation fault", "out of memory",
	// web servers
	"internal server error", "bad gateway", "service unavailable", "gateway timeout", "nginx/",
}

// packages begin the texts of Go's packages and drivers; they count at
// the start of a text and where an error wraps another.
var packages = [...]string{
	"sql: ", "pq: ", "pgx: ", "mysql: ", "driver: ", "redis: ", "mongo: ", "amqp: ", "ldap: ", "json: ", "xml: ", "bson: ",
	"strconv.", "x509: ", "tls: ", "net/http: ", "http2: ", "http: ", "crypto/", "lookup ", "parse \"", "get \"", "post \"",
}

// sources are the extensions behind which a line number follows.
var sources = [...]string{".go:", ".java:", ".kt:", ".py:", ".js:", ".mjs:", ".ts:", ".tsx:", ".rb:", ".php:", ".cs:", ".rs:", ".c:", ".cc:", ".cpp:"}

// LooksInternal reports whether s was written by a machine for an
// engineer, and so is not fit to be said to a person, not even without its
// secrets: a stack trace, the text of a driver, a place in source code, a dump
// of JSON or HTML, a memory address, an SQL statement. It errs towards letting
// a sentence pass: amounts, dates, addresses, codes and a leading "Error:" are
// normal in what people are told.
func LooksInternal(s string) bool {
	for _, span := range find(s) {
		if span.trace {
			return true
		}
	}
	text := strings.ToLower(strings.TrimSpace(s))
	for _, marker := range markers {
		if hasWord(text, marker) {
			return true
		}
	}
	for _, name := range packages {
		if strings.HasPrefix(text, name) || strings.Contains(text, ": "+name) {
			return true
		}
	}
	return text == "eof" || strings.HasSuffix(text, ": eof") || hasPlace(text) || hasAddress(text) ||
		hasVerb(text) || isDump(text) || isSQL(s) || hasClass(s)
}

// hasWord reports whether the marker is in the text and, if it begins
// with a letter, at the start of a word.
func hasWord(text, marker string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], marker)
		if at < 0 {
			return false
		}
		at += from
		if !isByte(marker, 0, letter) || !isByte(text, at-1, alnum) {
			return true
		}
		from = at + 1
	}
}

// hasPlace finds a place in source code, such as "main.go:12".
func hasPlace(text string) bool {
	for _, ext := range sources {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, ext)
			if !found {
				break
			}
			if isByte(after, 0, digit) {
				return true
			}
			rest = after
		}
	}
	return false
}

// hasAddress finds a memory address: 0x and at least six digits.
func hasAddress(text string) bool {
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "0x")
		if !found {
			return false
		}
		if !isByte(before, len(before)-1, alnum) && runEnd(after, 0, hex|digit) >= 6 {
			return true
		}
		rest = after
	}
}

// hasVerb finds what package fmt prints for a wrong verb: "%!d(string=x)".
func hasVerb(text string) bool {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "%!")
		if !found {
			return false
		}
		if isByte(after, 0, letter) && len(after) > 1 && after[1] == '(' {
			return true
		}
		rest = after
	}
}

// isDump recognises JSON, printed Go values, and HTML or XML.
func isDump(text string) bool {
	for _, start := range []string{"{", "[{", `["`, "[[", "&", "map[", "<!", "<?"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	for _, part := range []string{`{"`, `{\"`, `":"`, `":{`, `":[`, "&{", " map["} {
		if strings.Contains(text, part) {
			return true
		}
	}
	for _, tag := range []string{"</", "/>", "<br", "<html", "<body", "<head", "<p>", "<div", "<pre", "<h1"} {
		if strings.Contains(text, tag) {
			return true
		}
	}
	return false
}

// statements are how SQL begins and how it goes on, in small letters or in
// capitals; what is written as "Select" may be the name of a plan.
var statements = [][2]string{
	{"select ", " from "}, {"insert into ", "("}, {"delete from ", " where "}, {"update ", " set "},
	{"create table ", "("}, {"alter table ", " "}, {"drop table ", ""}, {"truncate table ", ""},
	{"SELECT ", " FROM "}, {"INSERT INTO ", "("}, {"DELETE FROM ", " WHERE "}, {"UPDATE ", " SET "},
	{"CREATE TABLE ", "("}, {"ALTER TABLE ", " "}, {"DROP TABLE ", ""}, {"TRUNCATE TABLE ", ""},
}

// isSQL finds a statement. An update assigns something.
func isSQL(s string) bool {
	for _, statement := range statements {
		_, after, found := strings.Cut(s, statement[0])
		_, after, goesOn := strings.Cut(after, statement[1])
		if found && goesOn && (!strings.EqualFold(statement[0], "update ") || strings.Contains(after, "=")) {
			return true
		}
	}
	return false
}

// hasClass finds the class of an exception before a colon, such as
// "TypeError:" or "java.sql.SQLException:". "Error:" alone is Spanish.
func hasClass(s string) bool {
	for {
		at := exceptionEnd(s)
		if at < 0 {
			return false
		}
		end := runEnd(s, at, alnum|dot|dash)
		if class := s[at:max(end, at+1)]; isByte(class, 0, upper) && class != "Error" && class != "Exception" ||
			strings.Contains(class, ".") {
			return true
		}
		s = s[max(end, at+1):]
	}
}
