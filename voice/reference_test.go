package voice_test

import "math/big"

// reference says integers by plain recursion over big.Int. It shares neither
// code nor tables with the package.
type reference struct{ feminine, beforeNoun bool }

func (r reference) say(n *big.Int) string {
	if n.Sign() < 0 {
		return "menos " + r.say(new(big.Int).Neg(n))
	}
	names := [...]string{"millón", "billón", "trillón", "cuatrillón", "quintillón"}
	for i := len(names) - 1; i >= 0; i-- {
		unit := new(big.Int).Exp(big.NewInt(1_000_000), big.NewInt(int64(i+1)), nil)
		if n.Cmp(unit) < 0 {
			continue
		}
		count, rest := new(big.Int).QuoRem(n, unit, new(big.Int))
		name := names[i]
		if count.Cmp(big.NewInt(1)) > 0 {
			name = name[:len(name)-len("ón")] + "ones"
		}
		return joinRest(reference{beforeNoun: true}.say(count)+" "+name, " ", rest.Sign() != 0, r.say(rest))
	}
	return r.below(int(n.Int64()))
}

// below says n under a million.
func (r reference) below(n int) string {
	switch {
	case n >= 1000:
		thousands := ""
		if n >= 2000 {
			thousands = reference{feminine: r.feminine}.multiplier(n/1000) + " "
		}
		return joinRest(thousands+"mil", " ", n%1000 != 0, r.below(n%1000))
	case n > 100:
		return joinRest(r.hundreds(n/100), " ", n%100 != 0, r.below(n%100))
	case n == 100:
		return "cien"
	case n >= 30:
		tens := []string{"treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"}
		return joinRest(tens[n/10-3], " y ", n%10 != 0, r.below(n%10))
	case n > 20:
		if n == 21 && r.beforeNoun && !r.feminine {
			return "veintiún"
		}
		accented := map[int]string{22: "veintidós", 23: "veintitrés", 26: "veintiséis"}
		if word, ok := accented[n]; ok {
			return word
		}
		return "veinti" + r.below(n-20)
	case n == 1 && r.feminine:
		return "una"
	case n == 1 && r.beforeNoun:
		return "un"
	}
	words := []string{
		"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
		"once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte",
	}
	return words[n]
}

// multiplier says how many thousands: the hundreds agree and uno is shortened.
func (r reference) multiplier(n int) string {
	if n < 100 || n%100 == 0 {
		if n < 100 {
			return reference{beforeNoun: true}.below(n)
		}
		return r.below(n)
	}
	return r.hundreds(n/100) + " " + reference{beforeNoun: true}.below(n%100)
}

func (r reference) hundreds(n int) string {
	end := "os"
	if r.feminine {
		end = "as"
	}
	switch n {
	case 1:
		return "ciento"
	case 5:
		return "quinient" + end
	case 7:
		return "setecient" + end
	case 9:
		return "novecient" + end
	}
	return r.below(n) + "cient" + end
}

func joinRest(text, link string, more bool, rest string) string {
	if more {
		return text + link + rest
	}
	return text
}
