package voice

// timeProfile is what a country decides about dates and times.
type timeProfile struct {
	// firstOne says "uno de enero" and not "primero de enero".
	firstOne bool
	// setiembre drops the p of the ninth month.
	setiembre bool
	// antier is the word for two days ago, otherwise "anteayer".
	antier bool
	// madrugada begins the day until six; without it those hours are "de la
	// mañana".
	madrugada bool
	// night is the first hour "de la noche".
	night int
	// quarterFor says "cuarto para las nueve" and not "las nueve menos cuarto".
	quarterFor bool
	// quarterTo says so without being asked.
	quarterTo bool
}

// timeProfileOf returns what c decides. The sources, row by row:
//
//   - The first of the month: "primero" in America, "uno" in Spain (DPD "fecha"
//     2a: both are valid).
//   - setiembre: CLDR 48 es_PE and es_UY (DPD "septiembre": both are valid).
//   - antier: México and Central America (RAE, "anteayer, antes de ayer,
//     antier").
//   - Madrugada and night: RAE, "La expresión de la hora", leaves them to dawn
//     and nightfall. CLDR 48 es has madrugada until six and night from twenty,
//     es_CO no madrugada; in the tropics it is dark at nineteen all year.
//   - "Cuarto para" in almost all of America (ibid.), but not in the Río de la
//     Plata, which says "menos cuarto" as Spain does.
func timeProfileOf(c Country) timeProfile {
	p := timeProfile{madrugada: true, night: 19, quarterFor: true}
	switch c {
	case CO:
		p.madrugada = false
	case MX, GT, HN, SV, NI, CR:
		p.antier = true
	case PE:
		p.setiembre = true
	case CL:
		p.night = 20
	case AR, PY:
		p.night, p.quarterFor = 20, false
	case UY:
		p.night, p.quarterFor, p.setiembre = 20, false, true
	case ES:
		p.night, p.quarterFor = 20, false
		p.firstOne, p.quarterTo = true, true
	default: // as above
	}
	return p
}
