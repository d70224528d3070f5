package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Join lists items with commas and a last "y": "uno, dos y tres". The
// conjunction is "e" before the sound i: "agujas e hilos", but "agua y hielo"
// (DPD "y" 2). Empty items are left out; no items are the empty text.
func Join(items ...string) string {
	var buf [stackText]byte
	return string(AppendJoin(buf[:0], items...))
}

// AppendJoin appends what [Join] says.
func AppendJoin(dst []byte, items ...string) []byte {
	return appendList(dst, items, " y ", " e ", startsWithI)
}

// JoinOr is [Join] with "o", and "u" before the sound o: "siete u ocho" (DPD
// "o" 2).
func JoinOr(items ...string) string {
	var buf [stackText]byte
	return string(AppendJoinOr(buf[:0], items...))
}

// AppendJoinOr appends what [JoinOr] says.
func AppendJoinOr(dst []byte, items ...string) []byte {
	return appendList(dst, items, " o ", " u ", startsWithO)
}

// Top lists the first n items and counts the rest of total: with n 3 and total
// 8, "ana, luis, eva y cinco más". A total below len(items) counts as
// len(items), and n below 1 as 1. The count agrees with the form: "una más" is
// Feminine. The empty items count and are not said.
func Top(items []string, n, total int, form ...Form) string {
	var buf [stackText]byte
	return string(AppendTop(buf[:0], items, n, total, form...))
}

// AppendTop appends what [Top] says.
func AppendTop(dst []byte, items []string, n, total int, form ...Form) []byte {
	n = min(max(n, 1), len(items))
	rest := max(total, len(items)) - n
	if rest == 0 {
		return AppendJoin(dst, items...)
	}
	start := len(dst)
	for _, item := range items[:n] {
		if item != "" {
			dst = append(appendComma(dst, start), item...)
		}
	}
	if len(dst) > start {
		dst = append(dst, " y "...) // no number starts with the sound i
	}
	dst = appendInt(dst, int64(rest), foldForms(form)&Feminine)
	return append(dst, " más"...)
}

func appendComma(dst []byte, start int) []byte {
	if len(dst) > start {
		dst = append(dst, ", "...)
	}
	return dst
}

func appendList(dst []byte, items []string, link, euphonic string, clashes func(string) bool) []byte {
	start := len(dst)
	last := len(items) - 1
	for last >= 0 && items[last] == "" {
		last--
	}
	for i := range last {
		if items[i] != "" {
			dst = append(appendComma(dst, start), items[i]...)
		}
	}
	if last < 0 {
		return dst
	}
	if len(dst) > start {
		if clashes(items[last]) {
			link = euphonic
		}
		dst = append(dst, link...)
	}
	return append(dst, items[last]...)
}

// startsWithI reports whether s starts with the sound i that is a syllable of
// its own: not in hielo, ion, yo.
func startsWithI(s string) bool {
	s = trimOpening(s)
	first, rest := nextLetter(s)
	if first == 'h' {
		first, rest = nextLetter(rest)
	}
	next, _ := nextLetter(rest)
	switch first {
	case 'í':
		return true
	case 'i':
		return !strings.ContainsRune("aeouáéóú", next)
	case 'y': // Yvonne; before a vowel, and alone, it is a consonant or "ye"
		return next != 0 && !strings.ContainsRune("aeiouáéíóú", next)
	}
	return false
}

// startsWithO reports whether s starts with the sound o: ocho, hora.
func startsWithO(s string) bool {
	first, rest := nextLetter(trimOpening(s))
	if first == 'h' {
		first, _ = nextLetter(rest)
	}
	return first == 'o' || first == 'ó'
}

// trimOpening drops the signs and spaces before the first word.
func trimOpening(s string) string {
	return strings.TrimLeft(s, " «“\"'(¿¡*")
}

// nextLetter returns the first rune of s in lower case, 0 when it is no letter,
// and what follows it.
func nextLetter(s string) (letter rune, rest string) {
	r, width := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(r) {
		return 0, ""
	}
	return unicode.ToLower(r), s[width:]
}
