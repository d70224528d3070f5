package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestReportJSON: the form that programs read is stable.
func TestReportJSON(t *testing.T) {
	t.Parallel()
	list := good(t)
	put(t, any(list), "/0/inputSchema/properties/dias/type", "integer")
	put(t, any(list), "/2/description", "Elimina un recordatorio con un trato amable.")
	r := lint(t, catalog(t, list), contract.Asixto|contract.Whaapy,
		contract.Without("whaapy-sections", "they come with the second release"),
		contract.Without("description-tone", "the brand wants it", "eliminar_recordatorio"))
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/report.json", append(raw, '\n'))
	var read contract.Report
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	if read.Text(contract.Spanish) != r.Text(contract.Spanish) || read.Profile != r.Profile {
		t.Errorf("read again:\n%s\nwant:\n%s", read.Text(contract.Spanish), r.Text(contract.Spanish))
	}
	if r.OK() || r.Count(contract.Must) != 1 || r.Count(contract.Should) != 1 {
		t.Errorf("%d musts and %d shoulds, want one each\n%s", r.Count(contract.Must), r.Count(contract.Should), r.Text(contract.English))
	}
}

// TestReportClean is the shortest report.
func TestReportClean(t *testing.T) {
	t.Parallel()
	r := lint(t, catalog(t, good(t)), contract.Asixto)
	want := "Perfil asixto: 3 herramientas, 2.972 caracteres. 0 DEBE, 0 DEBERÍA, 0 IDEA.\nSin hallazgos.\n"
	if got := r.Text(contract.Spanish); got != want {
		t.Errorf("report = %q, want %q", got, want)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"profile":"asixto","tools":3,"characters":2972,"findings":[]}`; string(raw) != want {
		t.Errorf("JSON = %s, want %s", raw, want)
	}
}
