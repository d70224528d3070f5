package voice

// PieceKind says what was taken out of a text.
type PieceKind string

// The kinds of pieces.
const (
	PieceURL    PieceKind = "url"    // with a scheme, www, or a domain of a known kind
	PieceEmail  PieceKind = "email"  //
	PieceHandle PieceKind = "handle" // @clinica_norte
	PieceFile   PieceKind = "file"   // factura-2026.pdf
	PiecePath   PieceKind = "path"   // /var/log/app, C:\datos
	PieceUUID   PieceKind = "uuid"   //
	PieceHash   PieceKind = "hash"   // digests, tokens and other strings that nobody reads
	PieceCode   PieceKind = "code"   // the lines of a fenced block
)

var allPieces = [...]PieceKind{
	PieceURL, PieceEmail, PieceHandle, PieceFile, PiecePath, PieceUUID, PieceHash, PieceCode,
}

// Piece is a part of a text that is not said as it is written.
type Piece struct {
	Kind PieceKind `json:"kind"`
	// Text is the input from Start to End, byte for byte, so that it can be sent
	// by another channel.
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Result is a text for the ear and what was taken out of it, in the order in which
// it begins in the input.
type Result struct {
	Text    string  `json:"text"`
	Removed []Piece `json:"removed,omitempty"`
}

// Clean is [Speaker.Text] that also returns the pieces which the text lost,
// whether they are omitted, replaced or spelled out.
func (s *Speaker) Clean(text string) Result {
	n := narrator{speaker: s, pending: text, collect: true}
	n.run(true)
	return Result{Text: string(n.out), Removed: n.removed}
}
