package main

import (
	"regexp/syntax"
	"strings"
)

// fromPattern returns a text that a regular expression matches and that is as
// long as asked, if it can be made so by repeating what the expression lets
// repeat. choice takes another character of each class; -1 the last one. Of an
// expression that Go does not know it returns a plain word.
func fromPattern(pattern string, least, most, choice int) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "prueba"
	}
	parsed = parsed.Simplify()
	text := ""
	for repeats := range max(least, 0) + 2 {
		var b strings.Builder
		writeMatch(&b, parsed, repeats, choice, 0)
		if next := b.String(); repeats == 0 || len([]rune(next)) <= most {
			text = next
		}
		if n := len([]rune(text)); n >= max(least, 1) || n > most || repeats > 200 {
			break
		}
	}
	return text
}

// writeMatch writes something that the expression matches. What may repeat does
// so as often as asked.
func writeMatch(b *strings.Builder, re *syntax.Regexp, repeats, choice, level int) {
	if level > 50 || b.Len() > 1000 {
		return
	}
	sub := func(i int) { writeMatch(b, re.Sub[i], repeats, choice, level+1) }
	switch re.Op { //nolint:exhaustive // the others match without writing anything
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(re.Rune, choice))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture:
		sub(0)
	case syntax.OpConcat:
		for i := range re.Sub {
			sub(i)
		}
	case syntax.OpAlternate:
		if choice < 0 {
			sub(len(re.Sub) - 1)
		} else {
			sub(choice % len(re.Sub))
		}
	case syntax.OpStar, syntax.OpQuest:
		n := repeats
		if re.Op == syntax.OpQuest {
			n = min(n, 1)
		}
		for range n {
			sub(0)
		}
	case syntax.OpPlus:
		for range max(repeats, 1) {
			sub(0)
		}
	case syntax.OpRepeat:
		n := max(re.Min, repeats)
		if re.Max >= 0 {
			n = min(n, re.Max)
		}
		for range n {
			sub(0)
		}
	}
}

// oneOf returns a character of a class: a letter or a digit, if it has one.
func oneOf(class []rune, choice int) rune {
	var pool []rune
	for _, candidate := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789 0-_." {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= candidate && candidate <= class[i+1] {
				pool = append(pool, candidate)
				break
			}
		}
	}
	switch {
	case len(pool) == 0 && len(class) == 0:
		return 'a'
	case len(pool) == 0:
		return class[0]
	case choice < 0 && pool[len(pool)-1] == '0': // nothing but zeros is a special number
		return pool[max(0, len(pool)-2)]
	case choice < 0:
		return pool[len(pool)-1]
	}
	return pool[choice%len(pool)]
}
