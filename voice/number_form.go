package voice

// Form is the grammatical form of a number. Forms combine:
// Feminine|BeforeNoun.
type Form uint8

const (
	// Masculine is the form of a number that stands alone: veintiuno.
	Masculine Form = 0
	// Feminine agrees with a feminine noun: veintiuna, doscientas.
	Feminine Form = 1
	// BeforeNoun is the form right before the noun it counts or orders: veintiún
	// días, primer piso (DPD "uno" 2.2, "primero"). It shortens the masculine
	// only; a number with decimals is never shortened.
	BeforeNoun Form = 2

	// beforeTonic, with Feminine and BeforeNoun, is the form before a noun that
	// starts with a stressed a: un aula, ciento un hadas (DPD "uno" 2.2).
	beforeTonic Form = 4
)

func foldForms(forms []Form) Form {
	var f Form
	for _, form := range forms {
		f |= form
	}
	return f & (Feminine | BeforeNoun)
}
