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
		"clave_dinamica", "claveDinámica", "pаssword", "ｐａｓｓｗｏｒｄ", "pass\u200bword", "clavé", "ѕecret", "contraseñа",
	} {
		if !Name(name) {
			t.Errorf("Name(%q) = false, want true", name)
		}
	}
	for _, name := range []string{
		"", "s", "nombre", "nextPageToken", "next_token", "continuation_token", "siguiente_token", "paginaToken",
		"palabra_clave", "palabraClave", "punto-clave", "claves", "enclave", "compass", "secretaria", "secretario", "author",
		"key", "sig", "host", "user", "usuario", "acceso", "passenger", "tokenizado", "autoclave", "estado", "id", "de_acceso",
		"pin_mapa", "opinion", "pinCode", "snip", "codigo", "codigo_postal", "credencial_elector", "2", "_2", "piso_2", "номер", "línea_1",
		"seguridad", "salto", "captcha",
	} {
		if Name(name) {
			t.Errorf("Name(%q) = true, want false", name)
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
