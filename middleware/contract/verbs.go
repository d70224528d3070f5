package contract

import "strings"

// verb is what a word does as the verb of a name.
type verb int

const (
	noVerb   verb = iota
	vague         // a verb that may read or write: "ejecutar", "process"; or also a noun: "order"
	reads         // leaves everything as it is
	lists         // reads, and answers all there is
	searches      // reads, and answers what was found
	writes        // changes something
	destroys      // takes something away
	manages       // does several things
)

func (v verb) isRead() bool  { return v == reads || v == lists || v == searches }
func (v verb) isWrite() bool { return v == writes || v == destroys }

// verbLists has the verbs of tool names in Spanish (infinitives, without accents)
// and English, each word once. What is as often a noun, or may read or write, is
// vague: a rule that accuses must not be wrong.
var verbLists = map[verb]string{
	reads: `analizar averiguar calcular chequear comparar comprobar conocer consultar contar descargar
		describir detectar estimar evaluar examinar explicar inspeccionar leer localizar mirar
		mostrar observar obtener previsualizar rastrear recomendar resumir simular sugerir traducir
		traer ubicar ver visualizar
		analyze browse calculate compare count describe download estimate explain fetch get inspect
		peek preview read recommend retrieve show suggest summarize translate view`,
	lists: `enumerar listar
		list`,
	searches: `buscar encontrar explorar filtrar hallar
		find grep search`,
	writes: `abrir activar actualizar adjuntar agendar agregar anadir anular aprobar archivar asignar
		autorizar bloquear cambiar cancelar cerrar cobrar comprar contratar corregir crear
		depositar desactivar desbloquear deshabilitar despachar desvincular duplicar editar emitir
		encolar enviar escalar escribir facturar finalizar firmar fusionar grabar guardar habilitar
		importar inactivar inscribir insertar instalar liberar liquidar marcar matricular modificar
		mover notificar pagar pausar programar publicar radicar reactivar reagendar rechazar
		reembolsar reemplazar registrar reiniciar renombrar renovar reprogramar reservar restablecer
		restaurar retirar revertir revocar rotar silenciar subir suscribir suspender
		transferir trasladar vender vincular
		add append approve assign authorize ban buy cancel clear commit create
		deactivate deny deploy disable dismiss edit enable enqueue insert install
		merge modify move mutate mute notify pay publish push put reassign
		reboot reject rename reopen replace reschedule restart restore revert revoke save
		send set submit subscribe suspend unarchive unassign unblock uninstall unlink
		unlock unpublish unsubscribe update upload upsert withdraw write`,
	destroys: `borrar destruir eliminar purgar quitar remover vaciar
		delete destroy drop erase overwrite purge remove terminate truncate wipe`,
	manages: `administrar gestionar manejar
		administer handle manage`,
	vague: `acceder aceptar adquirir ajustar alertar aplicar arrancar atender ayudar calificar cargar
		clasificar compartir completar componer conectar configurar convertir copiar cotizar dar
		definir detener devolver diagnosticar ejecutar elegir encuestar entregar establecer exportar
		extraer formatear generar hacer identificar ingresar iniciar interpretar invocar ir lanzar
		llamar medir monitorear navegar negociar notar operar ordenar parar pedir poner preguntar
		preparar probar procesar realizar recibir recoger reconocer recordar recuperar redactar
		redimir refrescar reportar resolver responder revisar seleccionar sincronizar solicitar confirmar tomar
		transcribir trazar usar validar verificar
		accept access activate alert answer apply ask attach authenticate book build call check
		claim click close comment compile complete compose configure confirm connect convert copy
		crawl debug decode define detach detect diff disconnect do drag encode ensure escalate
		evaluate exec execute export extract fill follow fork format generate give go hover identify
		initialize invoke issue join kick kill launch leave link listen load lock log login logout
		lookup make map mark message monitor navigate open operate order parse pause perform pin
		ping plan play post predict prepare press process prompt pull query rank rate react rebuild
		receive record redeem refresh register release render reply report request require reserve
		reset resolve respond resume review rotate run sample scan schedule scrape screenshot select
		share sign sleep solve sort speak split star start stat stop store stream switch sync tag take
		test think track train transcribe transform trigger type unpin unsplash use validate verify
		vote wait watch wrap archive purchase charge refund transfer grant patch import invite`,
}

// noVerbs end like an infinitive and are none, or name a thing first of all.
const noVerbs = `actor altar auxiliar azucar bar calendar car celular center chapter character container
	customer dealer developer dollar driver ejemplar elixir escolar examen familiar folder
	footer header hogar image letter lider lugar manager master member militar mortar mujer
	newsletter number owner paper par parameter particular partner pilar placer planner popular
	provider quarter reader regular reseller scheduler seller sender server similar singular
	solar sponsor sugar supplier taller ticker timer titular ulterior user vocabular voucher
	webinar winter worker`

// lexicon answers what words do.
type lexicon struct {
	verbs map[string]verb
	nouns map[string]bool // of noVerbs
}

func newLexicon() lexicon {
	lex := lexicon{verbs: make(map[string]verb), nouns: make(map[string]bool)}
	for v, words := range verbLists {
		for word := range strings.FieldsSeq(words) {
			lex.verbs[word] = v
		}
	}
	for word := range strings.FieldsSeq(noVerbs) {
		lex.nouns[word] = true
	}
	return lex
}

// named is what a word does in a name. Spanish forms without the r of the
// infinitive ("cancela", "crea") are verbs too, but vague ones where they would
// write: "compra", "reserva" and "firma" are things as well.
func (lex lexicon) named(word string) verb {
	if v, ok := lex.verbs[word]; ok {
		return v
	}
	if v := lex.verbs[word+"r"]; v != noVerb {
		if v.isRead() {
			return v
		}
		return vague
	}
	if rest, ok := strings.CutSuffix(word, "se"); ok && lex.named(rest) != noVerb {
		return lex.named(rest) // inscribirse
	}
	if lex.nouns[word] || len(word) < 4 {
		return noVerb
	}
	for _, ending := range [...]string{"ar", "er", "ir"} {
		if strings.HasSuffix(word, ending) {
			return vague // an infinitive that is not in the lists
		}
	}
	return noVerb
}

// spoken is what a word does at the beginning of a description, which speaks in
// the third person or the imperative: "Crea", "Registre", "Deletes". It is noVerb
// for vague ones.
func (lex lexicon) spoken(word string) verb {
	stem := strings.TrimSuffix(word, "e")
	for _, form := range [...]string{
		word,
		word + "r",                     // consulta
		strings.TrimSuffix(word, "s"),  // creates
		strings.TrimSuffix(word, "es"), // searches
		stem + "ar",                    // cancele
		stem + "er",                    // vende
		stem + "ir",                    // suscribe
	} {
		if v := lex.verbs[form]; v != noVerb && v != vague {
			return v
		}
	}
	return noVerb
}

// leading is the verb of a name: its first word, or one of the next two where
// the name of a service stands before it ("slack_list_channels").
func (lex lexicon) leading(words []string) verb {
	for _, word := range words[:min(3, len(words))] {
		if v := lex.named(word); v != noVerb {
			return v
		}
	}
	return noVerb
}
