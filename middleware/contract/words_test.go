package contract_test

import (
	"slices"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestNamesAndAnnotations: what a name says is read with care. A rule that accuses
// a good server is switched off, and then it finds nothing in a bad one.
func TestNamesAndAnnotations(t *testing.T) {
	t.Parallel()
	const (
		fine     = ""
		lies     = "annotations-write-name" // declared read-only
		pretends = "annotations-read-name"  // declared to write
	)
	for _, tt := range []struct {
		name          string
		readOnly, not string // what is found when it is declared read-only, and when it is not
	}{
		{"consultar_cancelaciones", fine, pretends},
		{"consultar_cliente", fine, pretends},
		{"consulta_cliente", fine, pretends},
		{"obtener_pagos_pendientes", fine, pretends},
		{"listar_facturas_por_cobrar", fine, pretends},
		{"ver_agenda", fine, pretends},
		{"buscar_citas_para_cancelar", fine, pretends},
		{"get_cancelled_orders", fine, pretends},
		{"getDeletedUsers", fine, pretends},
		{"list_updates", fine, pretends},
		{"search_posts", fine, pretends},
		{"slack_list_channels", fine, pretends},

		{"cancelar_cita", lies, fine},
		{"inscribirse_curso", lies, fine},
		{"clausula_contrato", fine, fine},
		{"crear_cita", lies, fine},
		{"enviar_recordatorio", lies, fine},
		{"agendar_visita", lies, fine},
		{"pagar_factura", lies, fine},
		{"create_issue", lies, fine},
		{"deleteFile", lies, fine},
		{"update_customer", lies, fine},
		{"send-message", lies, fine},
		{"notion_create_page", lies, fine},

		// Nouns, and verbs that may do either.
		{"agenda_citas", fine, fine},
		{"compra_detalle", fine, fine},
		{"reserva_estado", fine, fine},
		{"generar_reporte", fine, fine},
		{"verificar_cobertura", fine, fine},
		{"order_status", fine, fine},
		{"post_comments", fine, fine},
		{"refund_status", fine, fine},
		{"transfer_history", fine, fine},
		{"archive_items", fine, fine},
		{"query_database", fine, fine},
		{"cotizar_seguro", fine, fine},
		{"tickets_abiertos", fine, fine},
		{"cliente_actualizado", fine, fine},
	} {
		for _, readOnly := range []bool{true, false} {
			want := tt.not
			if readOnly {
				want = tt.readOnly
			}
			list := []any{map[string]any{
				"name": tt.name, "description": "Hace algo. No sirve para otra cosa.",
				"inputSchema": map[string]any{"type": "object"},
				"annotations": map[string]any{"readOnlyHint": readOnly, "destructiveHint": !readOnly, "idempotentHint": true},
			}}
			got := fine
			for _, id := range ids(lint(t, catalog(t, list), contract.Core)) {
				if id == lies || id == pretends {
					got = id
				}
			}
			if got != want {
				t.Errorf("%s with readOnlyHint %t: found %q, want %q", tt.name, readOnly, got, want)
			}
		}
	}
}

// TestQuietDescriptions are good descriptions that rules about words leave alone.
func TestQuietDescriptions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Registra un caso de soporte para un cliente identificado y devuelve su número de radicado. Úsala solo cuando el cliente ya describió el problema. No la uses para consultar el estado de un caso existente.",
		"Obtiene el estado de un pedido por ID en la cuenta actual. No crea ni modifica pedidos. Usar solo cuando ya tiene order_id.",
		"Consulta la agenda de un día (formato AAAA-MM-DD, p. ej. 2026-09-03). No agenda citas.",
		"Calcula la cuota en pesos de un crédito a 12 o 24 meses. No sirve para solicitarlo.",
		"Busca y devuelve las sedes de una ciudad. No sirve para agendar.",
		"Consulta el historial de un cliente y muestra sus pagos. No incluye facturas anuladas.",
		"Lista hasta 25 productos de una categoría. No sirve para conocer su precio.",
		"Returns the balance of an account in its own currency. Not for transfers.",
		"Searches tickets by text, like \"2024-05-01\". Use get_ticket instead when the id is known.",
		"Consulta los tonos de llamada comprados por 3 líneas como máximo. No sirve para comprarlos.",
	} {
		list := good(t)
		put(t, any(list), "/0/description", text)
		got := slices.DeleteFunc(ids(lint(t, catalog(t, list), contract.Asixto)), func(id string) bool { return id == "description-near-equal" })
		if len(got) > 0 {
			t.Errorf("%v found in: %s", got, text)
		}
	}
}

// TestOneIntention: what joins two actions, and what only looks like it.
func TestOneIntention(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"crear_o_actualizar_contacto": true, "create_or_update_file": true, "buscar_y_borrar": true, "manage_users": true, "gestionar_citas": true,
		"consultar_entrada_y_salida": false, "listar_pagos_y_abonos": false, "crear_cita": false, "read_and_list": false,
		"consultar_gestion": false, "search_and_rescue_teams": false,
	} {
		list := good(t)
		put(t, any(list), "/2/name", name)
		if got := slices.Contains(ids(lint(t, catalog(t, list), contract.Asixto)), "several-intentions"); got != want {
			t.Errorf("%s: several intentions %t, want %t", name, got, want)
		}
	}
}
