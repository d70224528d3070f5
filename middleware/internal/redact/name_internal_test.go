package redact

import "testing"

func TestRedactName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"password", "PASSWORD", "dbPassword", "db_password", "passwordHash", "user.password", "passwords", "pwd",
		"secret", "client_secret", "clientSecret", "secretKey", "SECRETS", "token", "access_token", "refreshToken", "tokens",
		"apiKey", "api_key", "x-api-key", "ApiKeys", "private_key", "accessKey", "authorization", "bearer", "cookie",
		"contraseña", "contrasena", "CONTRASEÑA", "contrasen\u0303a", "nueva_contraseña", "contraseñas",
		"clave", "miClave", "clave_de_acceso", "claveDeAcceso", "clave_wifi", "clave-temporal", "clave_secreta",
		"secreto", "pass", "auth", "credentials", "signature", "sessionId", "password2",
		"PASSWORD_2", "clave-1", "pin", "codigo_pin", "PIN", "nip", "cvv", "codigoCvv", "cvc2", "otp", "otpCode", "jwt", "credenciales",
		"codigo_seguridad", "código_de_seguridad", "llave_api", "frase_secreta", "palabraSecreta", "contrasenya", "pass_hash",
		"claves", "claves_api", "clavesDeAcceso", "clave_api_secreta", "clave_cifrado", "clave_de_firma", "claveMaestra", "llave_cifrado", "llaveDeFirma",
		"secreto_webhook", "secretoCliente", "secreto_compartido", "secreto_de_la_app", "token_sesion", "tokenDeRefresco", "token_push", "contrasena_hash",
		"contraseñaHash", "pin_acceso", "pinDeLaTarjeta", "nip_cajero", "credenciales_acceso", "csrf", "xsrf_cookie", "dsn", "sessionKey", "authHeader",
		"connection_string", "cadena_de_conexion", "respuesta_secreta", "security_answer", "frase_recuperacion", "backupCodes", "codigos_respaldo",
		"clave_dinamica", "claveDinámica", "pаssword", "ｐａｓｓｗｏｒｄ", "pass\u200bword", "clavé", "ѕecret", "contraseñа",
	} {
		if !Name(name) {
			t.Errorf("Name(%q) = false, want true", name)
		}
	}
	for _, name := range []string{
		"", "s", "nombre", "nextPageToken", "next_token", "continuation_token", "siguiente_token", "paginaToken",
		"palabra_clave", "palabraClave", "punto-clave", "palabras_claves", "puntosClaves", "enclave", "llave", "llaves", "llave_publica", "llave_usuario", "llaveCorreo",
		"clave_producto", "clave_cliente", "clave_rastreo", "clave_interbancaria", "token_type", "token_expira", "pin_mapas", "contrasena_vencida", "secreto_profesional",
		"sesion", "sesiones", "firma", "fecha_firma", "firma_id", "numero_tarjeta", "tarjeta", "conexion", "semilla", "frase", "codigo_acceso", "autorizacion", "api", "compass", "secretaria", "secretario", "author",
		"key", "sig", "host", "user", "usuario", "acceso", "passenger", "tokenizado", "autoclave", "estado", "id", "de_acceso",
		"pin_mapa", "opinion", "pinCode", "snip", "codigo", "codigo_postal", "credencial_elector", "2", "_2", "piso_2", "номер", "línea_1",
		"seguridad", "salto", "captcha",
	} {
		if Name(name) {
			t.Errorf("Name(%q) = true, want false", name)
		}
	}
}

// TestRedactDoubt: the value decides where the name does not.
func TestRedactDoubt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"firma", "3f2b8c1e5d4a4a7e9b0c1a2b3c4d5e6f", true},
		{"firma_webhook", "MEUCIQDx+/8k3Tt5bM0uZQ==", true},
		{"hmac_sha256", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", true},
		{"firma", "Ana María Peña", false},
		{"firma", "pendiente", false},
		{"fecha_firma", "2026-09-03", false},
		{"fechaFirma", "2026-09-03T09:00:00-05:00", false},
		{"firma_id", "FIRMA-2026-0042", false},
		{"url_firma", "https://ejemplo.com/firmar/3f2b8c1e5d4a4a7e9b0c1a2b", false},
		{"firma", "firmado-por-el-representante-legal", false},
		{"session", "9f8a7b6c5d4e3f2a1b0c9f8a", true},
		{"sesion_id", "0b5f8f3e-8c1d-4a5e-9b7f-2d6c1e3a4b5c", true},
		{"idSesión", "s3ss.AbCdEf0123456789-xyz", true},
		{"sesion", "3", false},
		{"sesion", "Sesión 3: respiración", false},
		{"numero_tarjeta", "4111 1111 1111 1111", true},
		{"numeroTarjeta", "4111111111111111", true},
		{"tarjeta", "3782-822463-10005", true},
		{"card_number", "4111111111111112", false}, // its check digit is wrong
		{"tarjeta", "**** 1111", false},
		{"tarjeta", "terminada en 1111", false},
		{"tarjeta_identidad", "1032456789", false},
		{"tarjeta", "41111111111111", false},
		{"pan", "4111111111111111", true},
		{"pan", "integral", false},
		{"numero", "4111111111111111", false}, // nothing says that it is a card
		{"nombre", "3f2b8c1e5d4a4a7e9b0c1a2b3c4d5e6f", false},
	} {
		if got := DoubtOf(test.name).Holds(test.value); got != test.want {
			t.Errorf("%s: %q is a secret: %t, want %t", test.name, test.value, got, test.want)
		}
	}
}

func BenchmarkRedactName(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Name("fecha_texto")
		Name("resultados")
	}
}
