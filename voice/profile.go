package voice

// profile is what a country decides. The values are read-only.
type profile struct {
	country Country // empty in the neutral profile

	// decimal is the mark before the decimals in writing, '.' or ',', and so
	// the word that is spoken: "punto" or "coma". The other mark groups
	// thousands.
	decimal byte
	// mixed says that both conventions are in daily use, so that a lone mark
	// before three digits decides nothing.
	mixed bool
	// tender is the currency (ISO 4217) of an amount that names none, dollar
	// that of a bare "$". Empty means that nothing is assumed.
	tender, dollar string

	timeProfile
	digitProfile
}

// profiles holds the neutral profile first, then the countries.
//
// Decimal marks: CLDR 48 (es_XX, numbers/symbols), which agrees with the DPD
// ("coma", 4: the point in Mexico, Central America, the Caribbean and Peru) but
// for Venezuela, where the DPD lists the point and CLDR, banks and the tax
// authority use the comma; Costa Rica uses both.
var profiles = [...]profile{
	{country: "", decimal: ',', mixed: true, timeProfile: timeProfileOf(""), digitProfile: digitProfileOf("")},
	{country: CO, decimal: ',', tender: "COP", dollar: "COP", timeProfile: timeProfileOf(CO), digitProfile: digitProfileOf(CO)},
	{country: MX, decimal: '.', tender: "MXN", dollar: "MXN", timeProfile: timeProfileOf(MX), digitProfile: digitProfileOf(MX)},
	{country: AR, decimal: ',', tender: "ARS", dollar: "ARS", timeProfile: timeProfileOf(AR), digitProfile: digitProfileOf(AR)},
	{country: CL, decimal: ',', tender: "CLP", dollar: "CLP", timeProfile: timeProfileOf(CL), digitProfile: digitProfileOf(CL)},
	{country: PE, decimal: '.', tender: "PEN", dollar: "USD", timeProfile: timeProfileOf(PE), digitProfile: digitProfileOf(PE)},
	{country: EC, decimal: ',', tender: "USD", dollar: "USD", timeProfile: timeProfileOf(EC), digitProfile: digitProfileOf(EC)},
	{country: VE, decimal: ',', tender: "VES", dollar: "USD", timeProfile: timeProfileOf(VE), digitProfile: digitProfileOf(VE)},
	{country: UY, decimal: ',', tender: "UYU", dollar: "UYU", timeProfile: timeProfileOf(UY), digitProfile: digitProfileOf(UY)},
	{country: PY, decimal: ',', tender: "PYG", dollar: "USD", timeProfile: timeProfileOf(PY), digitProfile: digitProfileOf(PY)},
	{country: BO, decimal: ',', tender: "BOB", dollar: "USD", timeProfile: timeProfileOf(BO), digitProfile: digitProfileOf(BO)},
	{country: CR, decimal: ',', mixed: true, tender: "CRC", dollar: "USD", timeProfile: timeProfileOf(CR), digitProfile: digitProfileOf(CR)},
	{country: PA, decimal: '.', tender: "USD", dollar: "USD", timeProfile: timeProfileOf(PA), digitProfile: digitProfileOf(PA)},
	{country: GT, decimal: '.', tender: "GTQ", dollar: "USD", timeProfile: timeProfileOf(GT), digitProfile: digitProfileOf(GT)},
	{country: HN, decimal: '.', tender: "HNL", dollar: "USD", timeProfile: timeProfileOf(HN), digitProfile: digitProfileOf(HN)},
	{country: SV, decimal: '.', tender: "USD", dollar: "USD", timeProfile: timeProfileOf(SV), digitProfile: digitProfileOf(SV)},
	{country: NI, decimal: '.', tender: "NIO", dollar: "USD", timeProfile: timeProfileOf(NI), digitProfile: digitProfileOf(NI)},
	{country: DO, decimal: '.', tender: "DOP", dollar: "DOP", timeProfile: timeProfileOf(DO), digitProfile: digitProfileOf(DO)},
	{country: PR, decimal: '.', tender: "USD", dollar: "USD", timeProfile: timeProfileOf(PR), digitProfile: digitProfileOf(PR)},
	{country: US, decimal: '.', tender: "USD", dollar: "USD", timeProfile: timeProfileOf(US), digitProfile: digitProfileOf(US)},
	{country: ES, decimal: ',', tender: "EUR", dollar: "USD", timeProfile: timeProfileOf(ES), digitProfile: digitProfileOf(ES)},
}

// profileOf returns the profile of c, the neutral one when c has no rules here.
func profileOf(c Country) *profile {
	for i := range profiles {
		if profiles[i].country == c {
			return &profiles[i]
		}
	}
	return &profiles[0]
}

// rules returns the country's profile; the zero Speaker is neutral.
func (s *Speaker) rules() *profile {
	if s.profile == nil {
		return &profiles[0]
	}
	return s.profile
}
