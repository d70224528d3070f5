package voice

import "strings"

// scanName reads the name of a file, or a domain without a scheme, which may have
// a path. Words that a missing space put together, as in "Gracias.Es un placer",
// are neither: the endings are known ones, and those that are words of Spanish
// count only beside something else that says that it is an address.
func scanName(s string) (kind PieceKind, width int) {
	const longest = 253
	for width < len(s) && width < longest && (isWordByte(s[width]) || strings.IndexByte("._-", s[width]) >= 0) {
		width++
	}
	name := strings.TrimRight(s[:width], "._-")
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 {
		return "", 0
	}
	rest := s[len(name):]
	if len(rest) > 1 && (rest[0] == '@' || rest[0] == ':' && !isDigit(rest[1])) {
		return "", 0
	}
	ending := name[dot+1:]
	if isFileEnding(ending, name[:dot]) && (rest == "" || rest[0] != '/') {
		return PieceFile, len(name)
	}
	if !isDomain(name) {
		return "", 0
	}
	hasPath := len(rest) > 1 && (rest[0] == '/' && isWordByte(rest[1]) || rest[0] == '?' && isWordByte(rest[1]) || rest[0] == ':')
	second := name[strings.LastIndexByte(name[:dot], '.')+1 : dot]
	switch {
	case isListed(domainEndings, ending):
	case isListed(wordEndings, ending) && (hasPath || second != name[:dot] && isListed(secondLevel, second)):
	default:
		return "", 0
	}
	if hasPath {
		return PieceURL, max(len(name), addressWidth(s))
	}
	return PieceURL, len(name)
}

// isDomain reports whether a name has only labels of a domain, the last one in
// lower case.
func isDomain(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !isLetter(c) && !isDigit(c) && c != '-' {
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
// lower case, since Node.js is the name of something else.
const (
	documentEndings = " pdf doc docx xls xlsx ppt pptx csv txt rtf odt ods jpg jpeg png gif webp svg heic tiff bmp mp3 mp4 wav ogg opus m4a avi mov mkv zip rar gz tar 7z json jsonl xml html htm eml ics vcf apk exe log p12 pem "
	programEndings  = " js py ts sh sql md go java php css yaml yml toml ini env "
)

func isFileEnding(ending, base string) bool {
	lower := lowerASCII(ending)
	if ending != lower && strings.ToUpper(ending) != ending {
		return false
	}
	return isListed(documentEndings, lower) || isListed(programEndings, ending) && base == strings.ToLower(base)
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
