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
	} {
		if !Name(name) {
			t.Errorf("Name(%q) = false, want true", name)
		}
	}
	for _, name := range []string{
		"", "s", "nombre", "nextPageToken", "next_token", "continuation_token", "siguiente_token", "paginaToken",
		"palabra_clave", "palabraClave", "punto-clave", "claves", "enclave", "compass", "secretaria", "secretario", "author",
		"key", "sig", "host", "user", "usuario", "acceso", "passenger", "tokenizado", "autoclave", "estado", "id", "de_acceso",
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
