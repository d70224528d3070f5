package contract

import "slices"

// Rules returns every rule, family by family. The slice is a fresh copy.
func Rules() []Rule {
	return slices.Concat(nameRules, descriptionRules, volatileRules, intentionRules, inputRules, argumentRules,
		schemaRules, outputRules, annotationRules, metaRules, searchRules, listRules)
}
