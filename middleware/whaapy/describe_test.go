package whaapy_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

func payment() whaapy.Describe {
	return whaapy.Describe{
		WhenToUse:       "Cuando la persona ya envió el comprobante\n\tde una transferencia y se puede leer.",
		NeverUseFor:     "Pagos en efectivo ni comprobantes de otra persona.",
		Identity:        "Requiere el documento ya confirmado.",
		SideEffects:     "Registra el pago y avisa a cartera.",
		SuccessCriteria: "ok=true, status=success y data.paymentId.",
		Fallback:        "Si falta un dato, status=needs_more_info con nextQuestion.",
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	got, err := payment().Text()
	want := "When to use:\nCuando la persona ya envió el comprobante de una transferencia y se puede leer.\n\n" +
		"Never use for:\nPagos en efectivo ni comprobantes de otra persona.\n\nIdentity:\nRequiere el documento ya confirmado.\n\n" +
		"Side effects:\nRegistra el pago y avisa a cartera.\n\nSuccess criteria:\nok=true, status=success y data.paymentId.\n\n" +
		"Fallback:\nSi falta un dato, status=needs_more_info con nextQuestion."
	if err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestDescribeNamesEmptySections(t *testing.T) {
	t.Parallel()
	d := payment()
	d.Identity, d.Fallback = " \n", ""
	const want = "portavoz/whaapy: sections of the description are empty: Identity, Fallback"
	if text, err := d.Text(); err == nil || err.Error() != want || text != "" {
		t.Errorf("got %q, %v, want %s", text, err, want)
	}
	if _, err := d.Fit(10); err == nil || err.Error() != want {
		t.Errorf("Fit: got %v, want %s", err, want)
	}
}

func TestDescribeFits(t *testing.T) {
	t.Parallel()
	long, err := payment().Text()
	if err != nil {
		t.Fatal(err)
	}
	units := len(utf16.Encode([]rune(long)))
	if got, err := payment().Fit(units); got != long || err != nil {
		t.Errorf("what fits was changed: %q, %v", got, err)
	}
	short, err := payment().Fit(units - 1)
	if err != nil || !strings.HasPrefix(short, "When to use: Cuando") || strings.Contains(short, "\n\n") {
		t.Errorf("one less: got %q, %v, want a line for each section", short, err)
	}
	n := len(utf16.Encode([]rune(short)))
	if _, err := payment().Fit(n); err != nil {
		t.Errorf("%d characters do not fit into %d: %v", n, n, err)
	}
	const want = "portavoz/whaapy: the description has 384 characters, 1 more than 383; the longest sections: " +
		"When to use (79), Fallback (58), Never use for (50)"
	if got, err := payment().Fit(n - 1); err == nil || err.Error() != want || got != "" {
		t.Errorf("got %q, %v\nwant %s", got, err, want)
	}
}

// TestDescribeSatisfiesTheContract lints a tool whose description has the sections, for
// both gateways.
func TestDescribeSatisfiesTheContract(t *testing.T) {
	t.Parallel()
	tool := mcp.NewTool("registrar_pago", whaapy.WithDescription(payment(), whaapy.MaxDescription))
	report, err := contract.Lint(contract.Tools(tool), contract.Whaapy|contract.Asixto)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Rule == "whaapy-sections" || strings.HasPrefix(f.Rule, "description-") {
			t.Errorf("the linter finds %s: %s", f.Rule, f.Message.EN)
		}
	}
}

// TestDescribeCountsAsTheContractDoes fills a description to the last unit, with letters
// of one unit and of two.
func TestDescribeCountsAsTheContractDoes(t *testing.T) {
	t.Parallel()
	d, fits := payment(), payment()
	d.Fallback += strings.Repeat("😀", 100)
	var text string
	for {
		fitted, err := d.Fit(whaapy.MaxDescription)
		if err != nil {
			break
		}
		fits, text = d, fitted
		d.Fallback += "ñ"
	}
	if got := len(utf16.Encode([]rune(text))); got != whaapy.MaxDescription {
		t.Errorf("the longest that fits has %d characters", got)
	}
	tool := mcp.NewTool("registrar_pago", whaapy.WithDescription(fits, whaapy.MaxDescription))
	report, err := contract.Lint(contract.Tools(tool), contract.Asixto)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Rule == "description-length" {
			t.Errorf("700 characters are too long for the linter: %s", f.Message.EN)
		}
	}
}

func TestWithDescriptionPanics(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(){
		"empty":    func() { whaapy.WithDescription(whaapy.Describe{}, 0) },
		"too long": func() { whaapy.WithDescription(payment(), 100) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if v, _ := recover().(string); !strings.HasPrefix(v, "portavoz/whaapy: ") {
					t.Errorf("panic = %q", v)
				}
			}()
			build()
		})
	}
}
