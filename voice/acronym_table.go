package voice

// asWord marks the acronyms that are read as words.
const asWord = "-"

// acronyms holds those that callers hear most, with their reading: empty is
// spelled, asWord is read as it is written. [Say] adds to them.
var acronyms = map[string]string{
	// Spelled: health, work and pensions.
	"EPS": "", "IPS": "", "ARL": "", "AFP": "", "AFC": "", "POS": "", "PBS": "", "ICBF": "", "OMS": "", "IESS": "iess",
	"EKG": "", "ECG": "", "ADN": "", "VIH": "", "IMC": "", "ITS": "", "TDAH": "", "EPOC": asWord, "UCI": asWord, "TAC": asWord,
	"SOAT": asWord, "ISAPRE": asWord, "FONASA": asWord, "IMSS": "ims", "ISSSTE": "iste", "INSS": "",

	// Claims, procedures, identity.
	"PQR": "", "PQRS": "", "PQRSD": "", "PQRSF": "", "DNI": "", "NIE": "", "DUI": asWord, "DPI": "", "RTN": "", "CURP": asWord,
	"RFC": "", "RUT": asWord, "NIT": asWord, "RUC": asWord, "RIF": asWord, "CUIT": asWord, "CUIL": asWord, "CBU": "", "CLABE": asWord,
	"CCI": "", "CVU": "", "INE": asWord, "NIP": asWord, "PIN": asWord, "OTP": "", "CVV": "", "CVC": "", "IBAN": asWord,

	// Taxes, banks and authorities.
	"IVA": asWord, "IGV": "", "ISR": "", "IEPS": "", "IRPF": "", "ICA": asWord, "DIAN": asWord, "SENA": asWord, "SAT": asWord,
	"SUNAT": asWord, "AFIP": asWord, "ARCA": asWord, "ANSES": asWord, "RENIEC": asWord, "SII": "", "SRI": "", "SAR": asWord,
	"ICFES": asWord, "ICETEX": asWord, "SIC": asWord, "CFE": "", "CFDI": "", "UNAM": asWord, "IPN": "", "INPEC": asWord,
	"CDT": "", "UVR": "", "UF": "", "UVA": asWord, "CAE": "", "TIN": asWord, "TAE": asWord, "GMF": "", "PSE": "",
	"SPEI": asWord, "CUFE": asWord, "CTS": "", "ESP": "", "SAS": "", "SA": "", "SRL": "", "EIRL": "", "ETB": "",
	"EPM": "", "CRM": "", "ERP": "", "PYME": asWord, "PYMES": asWord, "PIB": asWord, "IPC": "", "UVT": "", "UMA": asWord,

	// Organizations and places.
	"ONG": "", "ONU": asWord, "OEA": asWord, "OTAN": asWord, "UNESCO": asWord, "UNICEF": asWord, "FMI": "", "BID": asWord,
	"UE": "", "USA": asWord, "CDMX": "", "CABA": asWord, "FIFA": asWord, "NASA": asWord,

	// Technology.
	"SMS": "", "PDF": "", "QR": "", "GPS": "", "USB": "", "TV": "", "PC": "", "CD": "", "DVD": "", "LED": asWord, "SIM": asWord,
	"ESIM": "e sim", "NFC": "", "URL": "", "IA": "", "API": "", "ID": "", "IP": "", "DVR": "", "HD": "", "UHD": "",
	"FTTH": "", "ADSL": "", "LTE": "", "VPN": "", "PBX": "", "IVR": "", "FAQ": "", "HDMI": "", "OLED": asWord, "RAM": asWord,
	"ROM": asWord, "SSD": "", "HTML": "", "APP": asWord, "IMEI": asWord, "APN": "", "SSID": "", "WIFI": asWord,

	// Other.
	"COVID": asWord, "SIDA": asWord, "CEO": "", "AM": "", "FM": "", "VIP": asWord, "DJ": "", "GNC": "", "GLP": "", "SUV": "",
	"ABS": "", "RH": "", "CV": "", "ICU": "", "PCR": "", "RX": "", "ISO": asWord, "VAR": asWord, "UVI": asWord,
}
