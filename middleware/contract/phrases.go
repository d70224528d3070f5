package contract

import (
	"slices"
	"strings"
)

// A phrase is what a text is searched for: words with a space between them, in
// the form of [fold], with "a|b" for either of two and "a*" for every word that
// begins so. Of a long text only those places are looked at where the first word
// of a phrase stands.
type phrase [][]string

// phrases are many, by their first words.
type phrases struct {
	whole    map[string][]phrase
	prefixed []phrase // whose first word ends in "*"
}

// newPhrases reads phrases, one a line.
func newPhrases(lines string) phrases {
	p := phrases{whole: make(map[string][]phrase)}
	for line := range strings.Lines(lines) {
		var words phrase
		for word := range strings.FieldsSeq(line) {
			words = append(words, strings.Split(word, "|"))
		}
		if words == nil {
			continue
		}
		for _, first := range words[0] {
			if strings.HasSuffix(first, "*") {
				p.prefixed = append(p.prefixed, words)
			} else {
				p.whole[first] = append(p.whole[first], words)
			}
		}
	}
	return p
}

// at returns how many words of a text, from its first one on, are a phrase; 0 if
// they are none. Of several phrases the longest counts.
func (p phrases) at(words []string) int {
	longest := 0
	for _, candidates := range [...][]phrase{p.whole[words[0]], p.prefixed} {
		for _, candidate := range candidates {
			if len(candidate) > longest && candidate.begins(words) {
				longest = len(candidate)
			}
		}
	}
	return longest
}

func (p phrase) begins(words []string) bool {
	if len(words) < len(p) {
		return false
	}
	for i, alternatives := range p {
		if !slices.ContainsFunc(alternatives, func(a string) bool {
			if stem, ok := strings.CutSuffix(a, "*"); ok {
				return strings.HasPrefix(words[i], stem)
			}
			return words[i] == a
		}) {
			return false
		}
	}
	return true
}

// find returns the first phrase in a text, and "" if there is none.
func (p phrases) find(words []string) string {
	for i := range words {
		if n := p.at(words[i:]); n > 0 {
			return strings.Join(words[i:i+n], " ")
		}
	}
	return ""
}

// cues are what the rules about descriptions look for. Words are those of
// [textWords], so that "don't" is "don t".
type cues struct {
	whenNot, notFound, instructions, injection, tone, brand, days phrases
}

func newCues() cues {
	return cues{
		whenNot: newPhrases(`no|nunca|jamas|not|never|cannot
			don|doesn|can|isn|won t
			solo si|cuando|para
			only use|when|if|for|after
			use only
			unicamente|excepto|salvo|except|unless|instead|avoid|evite|evitar
			en vez|lugar de
			rather than`),
		notFound: newPhrases(`no encontr*|existe*|obligatori*
			no se encuentr*
			no es necesari*
			not found|required
			does not exist`),
		instructions: newPhrases(`responda|conteste|saluda|salude|despidete|dile|digale|explicale|expliquele
			responde|contesta amabl*|cordial*|siempre|solo|unicamente|brevemente
			responde|contesta al usuario|cliente
			responde|contesta de forma|manera
			responde|contesta en espanol|ingles
			pidele|pidale|preguntale|preguntele|asegurate|asegurese|debes
			recuerda|recuerde que
			tienes que
			eres un|una
			actua|actue como
			siempre responde|responda|usa|use|pregunta|pregunte|confirma|confirme|llama|llame
			nunca digas|diga|respondas|menciones|mencione|reveles|revele
			antes de responder
			you must|should
			you are a|an
			you have to
			always call|use|ask|respond|reply|answer|confirm|include|start|check
			never say|tell|mention|reveal|respond|guess|assume
			respond|reply in|with|only|politely|kindly
			tell|ask|inform|remind the user|customer
			make sure to|you|that
			be sure to
			remember to
			act as
			before answering`),
		injection: newPhrases(`ignore|disregard|forget previous|prior|above|earlier|other instructions|rules|tools|messages
			ignore|disregard|forget all|any|the|your previous|prior|above|earlier|other instructions|rules|tools|messages
			ignore|disregard|forget all|any of|the|your previous|prior|above|earlier|other instructions|rules|tools|messages
			ignora|ignore|olvida|olvide instrucciones
			ignora|ignore|olvida|olvide las|tus|sus|otras instrucciones
			ignora|ignore|olvida|olvide las otras|demas instrucciones
			ignora|ignore|olvida|olvide todas las|tus|sus instrucciones
			do not tell|mention|reveal|inform|show the user|customer|person
			do not tell|mention|reveal|inform|show this|it|that to the user|customer|person
			don t tell|mention|reveal|inform|show the user|customer|person
			don t tell|mention|reveal|inform|show this|it|that to the user|customer|person
			never tell|mention|reveal|inform|show the user|customer|person
			never tell|mention|reveal|inform|show this|it|that to the user|customer|person
			no le digas|diga|cuentes|cuente|menciones|mencione
			no se lo digas|diga|cuentes|cuente|menciones|mencione
			sin decirle|avisarle|informarle
			without telling|informing|asking the user|customer
			system prompt
			prompt|instrucciones del sistema`),
		tone: newPhrases(`amable|amables|amablemente|cordial|cordiales|cordialmente|empatia|empatico|empatica|carino|carinoso|carinosa
			sonrisa|sonriente|entusiasmo|entusiasta|friendly|polite|politely|kindly|cheerful|cheerfully|warmly
			empathy|empathetic|enthusiasm|enthusiastic
			tono|tone formal|informal|profesional|professional|cercano|calido|warm|casual|neutro|serio`),
		brand: newPhrases(`asixto|whaapy
			lider|lideres en|del|de
			nuestra|nuestro|nuestros|nuestras empresa|marca|compania|equipo|clientes|tienda
			our company|brand|team|customers|store
			world class
			award winning
			industry leading
			best in class
			market leader
			la|el mejor empresa|servicio|compania|operador|marca`),
		days: newPhrases(dayNames + ` a|to|through|y|and ` + dayNames),
	}
}

// injectedTags open a block that models take for instructions.
var injectedTags = [...]string{"<important>", "<system>", "<instruction>", "<instructions>"}
