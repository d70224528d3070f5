package voice

// The stems of the ordinals, to which -o or -a is added (DPD, table of
// "ordinales"). Séptimo is also written sétimo, noveno also nono; the first of
// each is the general one.

var unitth = [...]string{
	"", "primer", "segund", "tercer", "cuart", "quint", "sext", "séptim", "octav", "noven",
}

var tenth = [...]string{
	"", "décim", "vigésim", "trigésim", "cuadragésim", "quincuagésim", "sexagésim", "septuagésim", "octogésim", "nonagésim",
}

// tenthPrefix begins the ordinals of 13 to 19 and 21 to 29.
var tenthPrefix = [...]string{
	"", "decimo", "vigesimo",
}

var hundredth = [...]string{
	"", "centésim", "ducentésim", "tricentésim", "cuadringentésim", "quingentésim",
	"sexcentésim", "septingentésim", "octingentésim", "noningentésim",
}
