package voice

// abbreviations are those of the RAE's list (OLE 2010, appendix 1) that people
// write to their customers, and the usual ones of addresses. Keys are in lower
// case.
var abbreviations = map[string]abbreviation{
	// Forms of address and titles.
	"sr": {long: "señor", when: beforeName}, "sra": {long: "señora", when: beforeName}, "srta": {long: "señorita", when: beforeName},
	"sres": {long: "señores", when: beforeName}, "sras": {long: "señoras", when: beforeName}, "dr": {long: "doctor", when: beforeName},
	"dra": {long: "doctora", when: beforeName}, "dres": {long: "doctores", when: beforeName}, "ing": {long: "ingeniero"},
	"lic": {long: "licenciado"}, "licda": {long: "licenciada"}, "arq": {long: "arquitecto"}, "prof": {long: "profesor"},
	"profa": {long: "profesora"}, "abg": {long: "abogado"}, "mtro": {long: "maestro"}, "mtra": {long: "maestra"},
	"gral": {long: "general"}, "cnel": {long: "coronel"}, "mons": {long: "monseñor"}, "dña": {long: "doña"},
	"ud": {long: "usted"}, "uds": {long: "ustedes"}, "vd": {long: "usted"}, "vds": {long: "ustedes"},
	"sta": {long: "santa", when: dottedBeforeAny}, "sto": {long: "santo", when: dottedBeforeAny},

	// Companies and their parts.
	"cía": {long: "compañía"}, "cia": {long: "compañía"}, "ltda": {long: "limitada", ends: true}, "dpto": {long: "departamento"},
	"depto": {long: "departamento"}, "admón": {long: "administración"}, "gte": {long: "gerente"}, "univ": {long: "universidad"},
	"hosp": {long: "hospital", when: dottedBeforeAny}, "mpio": {long: "municipio"}, "atte": {long: "atentamente", ends: true},

	// Numbers of things.
	"no": {long: "número", when: capitalNumber}, "nos": {long: "números", when: capitalNumber}, "núm": {long: "número"}, "num": {long: "número"},
	"nro": {long: "número", when: beforeNumber}, "nros": {long: "números", when: beforeNumber}, "pág": {long: "página"},
	"págs": {long: "páginas"}, "p": {long: "página", when: smallNumber}, "pp": {long: "páginas", when: numberOnly},
	"art": {long: "artículo"}, "arts": {long: "artículos"}, "cap": {long: "capítulo"}, "vol": {long: "volumen"},
	"cód": {long: "código"}, "cod": {long: "código"}, "ref": {long: "referencia"}, "rad": {long: "radicado"}, "fig": {long: "figura", when: numberOnly},
	"tel": {long: "teléfono"}, "tels": {long: "teléfonos"}, "teléf": {long: "teléfono"}, "cel": {long: "celular"},
	"ext": {long: "extensión", when: beforeNumber},

	// Months (OLE 2010, appendix 1), but for those that are words or the name of a letter.
	"feb": {long: "febrero", ends: true}, "abr": {long: "abril", ends: true}, "jun": {long: "junio", ends: true}, "jul": {long: "julio", ends: true},
	"ago": {long: "agosto", ends: true}, "sep": {long: "septiembre", ends: true}, "sept": {long: "septiembre", ends: true}, "oct": {long: "octubre", ends: true},
	"nov": {long: "noviembre", ends: true}, "dic": {long: "diciembre", ends: true},

	// The rest.
	"etc": {long: "etcétera", ends: true}, "aprox": {long: "aproximadamente", ends: true}, "máx": {long: "máximo", ends: true},
	"mín": {long: "mínimo", ends: true}, "vs": {long: "versus"}, "izq": {long: "izquierda", ends: true}, "der": {long: "derecha", ends: true},
	"izda": {long: "izquierda", ends: true}, "dcha": {long: "derecha", ends: true}, "incl": {long: "incluido", ends: true},
	"hab": {long: "habitación", when: numberOnly}, "min": {long: "mínimo", when: numberOnly}, "max": {long: "máximo", when: numberOnly},

	// Addresses.
	"cra": {long: "carrera", when: beforeAny}, "cr": {long: "carrera", when: beforeNumber}, "kr": {long: "carrera", when: beforeNumber},
	"kra": {long: "carrera", when: beforeNumber}, "crr": {long: "carrera", when: beforeNumber}, "cl": {long: "calle", when: beforeNumber},
	"cll": {long: "calle", when: beforeNumber}, "av": {long: "avenida", when: beforeAny}, "avda": {long: "avenida", when: beforeAny},
	"ave": {long: "avenida", when: numberOnly}, "dg": {long: "diagonal", when: beforeNumber}, "diag": {long: "diagonal", when: beforeNumber},
	"tv": {long: "transversal", when: numberOnly}, "transv": {long: "transversal", when: beforeNumber},
	"ak": {long: "avenida carrera", when: beforeNumber}, "ac": {long: "avenida calle", when: beforeNumber},
	"km": {long: "kilómetro", when: beforeNumber}, "blvd": {long: "bulevar", when: beforeAny}, "bvd": {long: "bulevar", when: beforeAny},
	"aut": {long: "autopista", when: dottedBeforeAny}, "mz": {long: "manzana", when: beforeAny}, "mza": {long: "manzana", when: beforeAny},
	"lt": {long: "lote", when: numberOnly}, "lte": {long: "lote", when: beforeNumber}, "apto": {long: "apartamento", when: beforeAny},
	"apt": {long: "apartamento", when: beforeNumber}, "ap": {long: "apartamento", when: numberOnly}, "of": {long: "oficina", when: beforeNumber},
	"ofc": {long: "oficina", when: beforeNumber}, "int": {long: "interior", when: beforeNumber}, "edif": {long: "edificio"},
	"ed": {long: "edificio", when: dottedBeforeAny}, "bl": {long: "bloque", when: beforeNumber}, "blq": {long: "bloque", when: beforeAny},
	"col": {long: "colonia", when: dottedBeforeAny}, "fracc": {long: "fraccionamiento", when: dotted}, "urb": {long: "urbanización", when: dottedBeforeAny},
	"pje": {long: "pasaje"}, "psje": {long: "pasaje"}, "esq": {long: "esquina"}, "loc": {long: "local", when: numberOnly},
	"pza": {long: "plaza"}, "plza": {long: "plaza"}, "ctra": {long: "carretera"}, "jr": {long: "jirón", when: numberOnly},
	"dept": {long: "departamento", when: beforeNumber},
}

// phraseAbbreviation has several parts, or other signs than a period.
type phraseAbbreviation struct {
	short  string // its spaces are optional
	long   string // words in capitals are spelled
	number bool   // a number must follow
	ends   bool   // a period at its end may be that of a sentence
}

// phrases holds longer ones before those that they begin with.
var phrases = [...]phraseAbbreviation{
	{short: "EE. UU.", long: "Estados Unidos", ends: true},
	{short: "EE. UU", long: "Estados Unidos"},
	{short: "EEUU", long: "Estados Unidos"},
	{short: "FF. AA.", long: "fuerzas armadas", ends: true},
	{short: "FF. MM.", long: "fuerzas militares", ends: true},
	{short: "RR. HH.", long: "recursos humanos", ends: true},
	{short: "RRHH", long: "recursos humanos"},
	{short: "AA. HH.", long: "asentamiento humano"},
	{short: "S. A. de C. V.", long: "SA de CV", ends: true},
	{short: "SA de CV", long: "SA de CV"},
	{short: "S. de R. L.", long: "S de RL", ends: true},
	{short: "S. A. S.", long: "SAS", ends: true},
	{short: "S. A.", long: "SA", ends: true},
	{short: "S. L.", long: "SL", ends: true},
	{short: "D. C.", long: "DC", ends: true},
	{short: "C. P.", long: "código postal", number: true},
	{short: "C.P", long: "código postal", number: true},
	{short: "CP", long: "código postal", number: true},
	{short: "C. C.", long: "cédula", number: true},
	{short: "CC", long: "cédula", number: true},
	{short: "C. I.", long: "cédula", number: true},
	{short: "C. E.", long: "cédula de extranjería", number: true},
	{short: "T. I.", long: "tarjeta de identidad", number: true},
	{short: "Sr(a).", long: "señor o señora"},
	{short: "Sr.(a)", long: "señor o señora"},
	{short: "Sr/a.", long: "señor o señora"},
	{short: "Dr(a).", long: "doctor o doctora"},
	{short: "Dr.(a)", long: "doctor o doctora"},
	{short: "P. D.", long: "posdata"},
	{short: "M. N.", long: "moneda nacional", ends: true},
	{short: "N.º", long: "número"}, {short: "n.º", long: "número"},
	{short: "N.°", long: "número"}, {short: "n.°", long: "número"},
	{short: "Nº", long: "número"}, {short: "nº", long: "número"},
	{short: "N°", long: "número"}, {short: "n°", long: "número"},
	{short: "No°", long: "número", number: true},
	{short: "N.", long: "número", number: true},
	{short: "p. ej.", long: "por ejemplo", ends: true},
	{short: "P. ej.", long: "por ejemplo", ends: true},
	{short: "p. e.", long: "por ejemplo"},
	{short: "a. C.", long: "antes de Cristo", ends: true},
	{short: "d. C.", long: "después de Cristo", ends: true},
	{short: "c/u", long: "cada uno"}, {short: "C/U", long: "cada uno"}, {short: "c/u.", long: "cada uno", ends: true},
	{short: "c/", long: "cada", number: true},
	{short: "s/n", long: "sin número"}, {short: "S/N", long: "sin número"},
	{short: "y/o", long: "y o"}, {short: "Y/O", long: "y o"},
	{short: "m/cte", long: "moneda corriente"}, {short: "M/CTE", long: "moneda corriente"}, {short: "M/Cte", long: "moneda corriente"},
	{short: "C/", long: "calle"},
}
