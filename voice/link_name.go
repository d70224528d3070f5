package voice

import (
	"strings"
	"unicode/utf8"
)

// scanName reads the name of a file, or a domain without a scheme, which may have
// a path. Words that a missing space put together, as in "Gracias.Es un placer",
// are neither: the endings are known ones, and those that are words of Spanish
// count only beside something else that says that it is an address.
func scanName(s string) (kind PieceKind, width int) {
	const labels = 8 // that may follow by mistake, as in "ejemplo.com1.5"
	end := nameWidth(s)
	for range labels {
		dot := strings.LastIndexByte(s[:end], '.')
		if dot < 1 {
			break
		}
		if label := s[dot+1 : end]; label != "" && isFileEnding(label, s[:dot]) {
			return PieceFile, end
		}
		last := dot + 1 + lettersWidth(s[dot+1:end])
		switch ending := s[dot+1 : last]; {
		case ending == "":
		case isFileEnding(ending, s[:dot]) && last < end:
			return PieceFile, last
		case isListed(domainEndings, ending) || isListed(wordEndings, ending):
			if width := domainWidth(s, dot, last); width > 0 {
				return PieceURL, width
			}
		}
		end = dot
	}
	return "", 0
}

// domainWidth returns the width of the domain s[:end], whose ending begins after
// dot, and of the path behind it; zero when it is none.
func domainWidth(s string, dot, end int) int {
	rest := s[end:]
	if !isDomain(s[:end]) || strings.HasPrefix(rest, "@") {
		return 0
	}
	path := len(rest) > 1 && (strings.IndexByte("/?", rest[0]) >= 0 && isWordByte(rest[1]) || rest[0] == ':' && isDigit(rest[1]))
	second := s[strings.LastIndexByte(s[:dot], '.')+1 : dot]
	known := len(second) < dot && isListed(secondLevel, second)
	if isListed(wordEndings, s[dot+1:end]) && !path && !known {
		return 0
	}
	if path {
		return max(end, addressWidth(s))
	}
	return end
}

// nameWidth returns the width of letters, digits and signs of names, to two
// periods at most.
func nameWidth(s string) int {
	const longest = 253
	for i, r := range s {
		switch {
		case i >= longest, r == '.' && i > 0 && s[i-1] == '.':
			return i
		case r < utf8.RuneSelf && isNameByte(byte(r)), r >= utf8.RuneSelf && isWordRune(r):
		default:
			return i
		}
	}
	return len(s)
}

// mayBeginName reports whether a name can begin at i: not at a sign, and not
// inside of what was looked at from its beginning, unless two signs part them.
func mayBeginName(s string, i int) bool {
	if isNameSign(s[i]) && s[i] != '_' || i > 0 && isNameByte(s[i-1]) && !isNameSign(s[i-1]) {
		return false
	}
	return i < 2 || !isNameSign(s[i-1]) || !isLetter(s[i-2]) && !isDigit(s[i-2])
}

func isNameByte(b byte) bool { return isLetter(b) || isDigit(b) || isNameSign(b) }

func isNameSign(b byte) bool { return b == '.' || b == '_' || b == '-' }

// isDomain reports whether a name has only labels of a domain, the last one in
// lower case.
func isDomain(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if !isWordRune(r) && !strings.ContainsRune("0123456789-", r) {
				return false
			}
		}
	}
	ending := name[strings.LastIndexByte(name, '.')+1:]
	return onlyLetters(ending) && ending == lowerASCII(ending)
}

// Endings of domains: the generic and national ones that are no words of
// Spanish, and those that are or that begin one (es, me, ve, info). secondLevel
// are the names that registries put before theirs.
const (
	domainEndings = " com net org edu gov gob mil biz io co mx ar cl pe ec py bo cr gt hn sv pr us uk br fr eu dev app tv ly gl gg xyz mobi lat "
	wordEndings   = " es me ve uy ni do pa la ai info pro link online site store shop tech cloud page web club life "
	secondLevel   = " com net org edu gov gob mil nom "
)

// Endings of files: of documents, in any case; and of programs, after a name in
// lower case, since Node.js is the name of something else, or one in which letters
// follow digits, since its end would be such a name once the digits are said.
const (
	documentEndings = " pdf doc docx xls xlsx ppt pptx csv txt rtf odt ods jpg jpeg png gif webp svg heic tiff bmp mp3 mp4 wav ogg opus m4a avi mov mkv zip rar gz tar 7z json jsonl xml html htm eml ics vcf apk exe log p12 pem "
	programEndings  = " js py ts sh sql md go java php css yaml yml toml ini env "
)

func isFileEnding(ending, base string) bool {
	lower := lowerASCII(ending)
	if ending != lower && strings.ToUpper(ending) != ending {
		return false
	}
	return isListed(documentEndings, lower) || isListed(programEndings, ending) && (base == strings.ToLower(base) || hasLetterAfterDigit(base))
}

func hasLetterAfterDigit(s string) bool {
	for i := 1; i < len(s); i++ {
		if isDigit(s[i-1]) && isLetter(s[i]) {
			return true
		}
	}
	return false
}

// isListed reports whether a list has the word, between spaces.
func isListed(list, word string) bool {
	for rest := list; ; {
		i := strings.Index(rest, word)
		if i < 0 || word == "" {
			return false
		}
		if i > 0 && rest[i-1] == ' ' && rest[i+len(word)] == ' ' {
			return true
		}
		rest = rest[i+1:]
	}
}
