package idempotency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// byAccount names callers by a header that an authenticating middleware checked.
func byAccount(r *http.Request) []string { return []string{r.Header.Get("X-Account")} }

// protect puts a handler behind an engine over a new store.
func protect(tb testing.TB, cfg idempotency.HandlerConfig, next http.HandlerFunc) http.Handler {
	tb.Helper()
	return protectWith(tb, newEngine(tb, newStore(tb), idempotency.Config{}), cfg, next)
}

func protectWith(tb testing.TB, engine *idempotency.Engine, cfg idempotency.HandlerConfig, next http.HandlerFunc) http.Handler {
	tb.Helper()
	middleware, err := idempotency.Handler(engine, byAccount, cfg)
	if err != nil {
		tb.Fatalf("Handler: %v", err)
	}
	return middleware(next)
}

// post makes a request with a JSON body. More headers may follow the key.
func post(path, key, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Account", "acme")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// counter answers 201 with the number of the run.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	w.Header().Set("Location", fmt.Sprintf("/payments/%d", c.n))
	w.WriteHeader(http.StatusCreated)
	_, _ = fmt.Fprintf(w, `{"payment":%d}`, c.n)
}

func wantAnswer(tb testing.TB, w *httptest.ResponseRecorder, status int, body string, replayed bool) {
	tb.Helper()
	mark := ""
	if replayed {
		mark = "true"
	}
	if w.Code != status || w.Body.String() != body || w.Header().Get("Idempotent-Replayed") != mark {
		tb.Errorf("got %d %q, replayed %q; want %d %q, replayed %q",
			w.Code, w.Body, w.Header().Get("Idempotent-Replayed"), status, body, mark)
	}
}

func wantProblem(tb testing.TB, w *httptest.ResponseRecorder, status int, code, retryAfter string) {
	tb.Helper()
	var p struct {
		Type, Title, Detail, Code string
		Status                    int
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		tb.Fatalf("the body of %d is no JSON: %q", w.Code, w.Body)
	}
	if w.Code != status || p.Status != status || p.Code != code || !strings.HasSuffix(p.Type, "#"+code) ||
		p.Title == "" || p.Detail == "" || w.Header().Get("Content-Type") != "application/problem+json" ||
		w.Header().Get("Retry-After") != retryAfter {
		tb.Errorf("got %d %s, Retry-After %q; want %d %s, Retry-After %q",
			w.Code, w.Body, w.Header().Get("Retry-After"), status, code, retryAfter)
	}
}

func TestHandlerReplays(t *testing.T) {
	t.Parallel()
	calls := new(counter)
	h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.acme+json")
		w.Header().Add("Link", "</a>")
		w.Header().Add("Link", "</b>")
		w.Header().Set("Set-Cookie", "session=1")
		w.Header().Set("X-Request-Id", "r1")
		calls.ServeHTTP(w, r)
	})
	first := serve(h, post("/payments", "k", `{"a":1,"b":2}`))
	wantAnswer(t, first, http.StatusCreated, `{"payment":1}`, false)
	if first.Header().Get("Set-Cookie") == "" || first.Header().Get("X-Request-Id") == "" {
		t.Errorf("the first answer's headers: %v, want all that the handler set", first.Header())
	}
	second := serve(h, post("/payments", `"k"`, ` {"b":2, "a":1} `))
	wantAnswer(t, second, http.StatusCreated, `{"payment":1}`, true)
	want := http.Header{
		"Content-Type": {"application/vnd.acme+json"}, "Link": {"</a>", "</b>"},
		"Location": {"/payments/1"}, "Idempotent-Replayed": {"true"},
	}
	if got := second.Header(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the replay's headers: %v, want %v", got, want)
	}
}

func TestHandlerPassesBy(t *testing.T) {
	t.Parallel()
	calls := new(counter)
	h := protect(t, idempotency.HandlerConfig{}, calls.ServeHTTP)
	for _, r := range []*http.Request{
		post("/payments", "", "{}"),
		post("/payments", "", "{}"),
		httptest.NewRequest(http.MethodGet, "/payments", http.NoBody),
	} {
		serve(h, r)
	}
	r := post("/payments", "k", "{}")
	r.Method = http.MethodPut
	serve(h, r)
	serve(h, r)
	if calls.n != 5 {
		t.Errorf("%d runs, want 5", calls.n)
	}
	put := protect(t, idempotency.HandlerConfig{Methods: []string{http.MethodPut}}, calls.ServeHTTP)
	serve(put, r)
	wantAnswer(t, serve(put, r), http.StatusCreated, `{"payment":6}`, true)
}

func TestHandlerKey(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fields []string
		key    string // as the bare form of the same one; "" if it is refused
	}{
		"string":             {[]string{`"8e03978e-40d5"`}, "8e03978e-40d5"},
		"bare":               {[]string{`8e03978e-40d5`}, "8e03978e-40d5"},
		"spaces around":      {[]string{"  \"k\" \t"}, "k"},
		"base64":             {[]string{`aGk/+8==`}, "aGk/+8=="},
		"escape":             {[]string{`"a\"b\\c"`}, `"a\"b\\c"`},
		"comma in quotes":    {[]string{`"a, b"`}, `"a, b"`},
		"parameters":         {[]string{`"k";v=1 ;w`}, "k"},
		"255":                {[]string{strings.Repeat("k", 255)}, strings.Repeat("k", 255)},
		"256":                {[]string{strings.Repeat("k", 256)}, ""},
		"empty":              {[]string{""}, ""},
		"empty string":       {[]string{`""`}, ""},
		"blank string":       {[]string{`"  "`}, ""},
		"twice":              {[]string{"k", "k"}, ""},
		"joined by a proxy":  {[]string{"k, k"}, ""},
		"joined strings":     {[]string{`"k", "k"`}, ""},
		"joined, with mark":  {[]string{`"k";a, "k"`}, ""},
		"open":               {[]string{`"k`}, ""},
		"open escape":        {[]string{`"k\`}, ""},
		"other escape":       {[]string{`"\n"`}, ""},
		"something follows":  {[]string{`"k"x`}, ""},
		"quote inside":       {[]string{`k"k`}, ""},
		"space inside":       {[]string{`k k`}, ""},
		"not ASCII":          {[]string{"llavé"}, ""},
		"not ASCII, quoted":  {[]string{`"llavé"`}, ""},
		"control characters": {[]string{"\"k\x01\""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := protect(t, idempotency.HandlerConfig{}, new(counter).ServeHTTP)
			r := post("/payments", "", "{}")
			r.Header["Idempotency-Key"] = tc.fields
			got := serve(h, r)
			if tc.key == "" {
				wantProblem(t, got, http.StatusBadRequest, errors.CodeInvalidKey, "")
				return
			}
			wantAnswer(t, got, http.StatusCreated, `{"payment":1}`, false)
			wantAnswer(t, serve(h, post("/payments", tc.key, "{}")), http.StatusCreated, `{"payment":1}`, true)
		})
	}
}

func TestHandlerRequireKey(t *testing.T) {
	t.Parallel()
	h := protect(t, idempotency.HandlerConfig{RequireKey: true, Docs: "https://api.example.com/keys"}, new(counter).ServeHTTP)
	w := serve(h, post("/payments", "", "{}"))
	wantProblem(t, w, http.StatusBadRequest, errors.CodeKeyRequired, "")
	if !strings.Contains(w.Body.String(), `"https://api.example.com/keys#idempotency_key_required"`) {
		t.Errorf("got %s, want a type on the page of the API", w.Body)
	}
}

func TestHandlerSeparates(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change   func(*http.Request)
		cfg      idempotency.HandlerConfig
		conflict bool
		same     bool
	}{
		"caller":             {change: func(r *http.Request) { r.Header.Set("X-Account", "other") }},
		"path":               {change: func(r *http.Request) { r.URL.Path = "/refunds" }},
		"escaped path":       {change: func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/payments/x", "/payments%2Fx" }},
		"method":             {change: func(r *http.Request) { r.Method = http.MethodPatch }},
		"query":              {change: func(r *http.Request) { r.URL.RawQuery = "a=2" }, conflict: true},
		"body":               {change: func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"a":2}`)) }, conflict: true},
		"number as written":  {change: func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"a":1.0}`)) }, conflict: true},
		"no JSON any more":   {change: func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"a":1`)) }, conflict: true},
		"text, not JSON":     {change: func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, conflict: true},
		"credential":         {change: func(r *http.Request) { r.Header.Set("Authorization", "Bearer new") }, same: true},
		"host":               {change: func(r *http.Request) { r.Host = "b.example.com" }, same: true},
		"charset":            {change: func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") }, same: true},
		"one route for both": {change: func(r *http.Request) { r.URL.Path = "/v2/payments" }, cfg: idempotency.HandlerConfig{Route: func(*http.Request) string { return "pay" }}, same: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := protect(t, tc.cfg, new(counter).ServeHTTP)
			wantAnswer(t, serve(h, post("/payments", "k", `{"a":1}`)), http.StatusCreated, `{"payment":1}`, false)
			r := post("/payments", "k", `{"a":1}`)
			tc.change(r)
			switch w := serve(h, r); {
			case tc.conflict:
				wantProblem(t, w, http.StatusUnprocessableEntity, errors.CodeKeyReused, "")
			case tc.same:
				wantAnswer(t, w, http.StatusCreated, `{"payment":1}`, true)
			default:
				wantAnswer(t, w, http.StatusCreated, `{"payment":2}`, false)
			}
		})
	}
}

func TestHandlerClassifies(t *testing.T) {
	t.Parallel()
	const again, unknown, kept = "again", "unknown", "kept"
	careful := idempotency.HandlerConfig{Classify: func(status int, header http.Header) idempotency.Verdict {
		switch {
		case header.Get("X-Nothing-Done") != "":
			return idempotency.Release
		case status < 500:
			return idempotency.Keep
		}
		return idempotency.Abandon
	}}
	for name, tc := range map[string]struct {
		status int
		header string
		cfg    idempotency.HandlerConfig
		want   string
	}{
		"200":              {200, "", idempotency.HandlerConfig{}, kept},
		"nothing written":  {0, "", idempotency.HandlerConfig{}, kept},
		"204":              {204, "", idempotency.HandlerConfig{}, kept},
		"303":              {303, "", idempotency.HandlerConfig{}, kept},
		"400":              {400, "", idempotency.HandlerConfig{}, again},
		"404":              {404, "", idempotency.HandlerConfig{}, again},
		"409":              {409, "", idempotency.HandlerConfig{}, again},
		"429":              {429, "", idempotency.HandlerConfig{}, again},
		"500":              {500, "", idempotency.HandlerConfig{}, unknown},
		"503":              {503, "", idempotency.HandlerConfig{}, unknown},
		"own: 404 is kept": {404, "", careful, kept},
		"own: 503 says so": {503, "X-Nothing-Done", careful, again},
		"own: 503":         {503, "", careful, unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			h := protect(t, tc.cfg, func(w http.ResponseWriter, _ *http.Request) {
				runs++
				if tc.header != "" {
					w.Header().Set(tc.header, "1")
				}
				if tc.status != 0 {
					w.WriteHeader(tc.status)
				}
			})
			status := max(tc.status, 200)
			wantAnswer(t, serve(h, post("/", "k", "{}")), status, "", false)
			switch second := serve(h, post("/", "k", "{}")); tc.want {
			case again:
				wantAnswer(t, second, status, "", false)
			case kept:
				wantAnswer(t, second, status, "", true)
			case unknown:
				wantProblem(t, second, http.StatusConflict, errors.CodeOutcomeUnknown, "")
			}
			if (runs == 2) != (tc.want == again) {
				t.Errorf("%d runs", runs)
			}
		})
	}
}

func TestHandlerInProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := new(counter)
		h := protect(t, idempotency.HandlerConfig{Wait: 5 * time.Second}, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(12 * time.Second)
			calls.ServeHTTP(w, r)
		})
		var first sync.WaitGroup
		defer first.Wait()
		first.Go(func() { // its own run takes as long as it takes
			wantAnswer(t, serve(h, post("/", "k", "{}")), http.StatusCreated, `{"payment":1}`, false)
		})
		synctest.Wait()
		begin := time.Now()
		wantProblem(t, serve(h, post("/", "k", "{}")), http.StatusConflict, errors.CodeInProgress, "1")
		if waited := time.Since(begin); waited != 5*time.Second {
			t.Errorf("it waited %v, want 5s", waited)
		}
		wantProblem(t, serve(h, post("/", "k", `{"a":1}`)), http.StatusUnprocessableEntity, errors.CodeKeyReused, "")
		time.Sleep(3 * time.Second)
		wantAnswer(t, serve(h, post("/", "k", "{}")), http.StatusCreated, `{"payment":1}`, true)
	})
}

// TestHandlerSharesFailures: who waits beside a failing request gets its answer
// if that proves that nothing happened, and is told what is known if it does not.
func TestHandlerSharesFailures(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusInternalServerError} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
					time.Sleep(time.Second)
					http.Error(w, "no", status)
				})
				var first sync.WaitGroup
				defer first.Wait()
				first.Go(func() { wantAnswer(t, serve(h, post("/", "k", "{}")), status, "no\n", false) })
				synctest.Wait()
				if w := serve(h, post("/", "k", "{}")); status == http.StatusNotFound {
					wantAnswer(t, w, status, "no\n", true)
				} else {
					wantProblem(t, w, http.StatusConflict, errors.CodeOutcomeUnknown, "")
				}
			})
		})
	}
}

func TestHandlerStoreTrouble(t *testing.T) {
	t.Parallel()
	for code, tc := range map[string]struct {
		err        error
		retryAfter string
	}{
		errors.CodeStore:     {errDown, "5"},
		errors.CodeStoreFull: {idempotency.ErrFull, "30"},
	} {
		engine := newEngine(t, &faulty{store: newStore(t), before: failing(claim, 1, tc.err)}, idempotency.Config{})
		h := protectWith(t, engine, idempotency.HandlerConfig{}, new(counter).ServeHTTP)
		wantProblem(t, serve(h, post("/", "k", "{}")), http.StatusServiceUnavailable, code, tc.retryAfter)
		wantAnswer(t, serve(h, post("/", "k", "{}")), http.StatusCreated, `{"payment":1}`, false)
	}
}

// TestHandlerClientLeaves: the request goes on without it, with its body and the
// values of its context, and the retry gets the answer.
func TestHandlerClientLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Minute)
			body, err := io.ReadAll(r.Body)
			if r.Context().Err() != nil || r.Context().Value(key{}) != "trace" || err != nil {
				t.Errorf("context %v, value %v, body %v", r.Context().Err(), r.Context().Value(key{}), err)
			}
			_, _ = w.Write(body)
		})
		ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "trace"), time.Second)
		defer cancel()
		wantProblem(t, serve(h, post("/", "k", `{"a":1}`).WithContext(ctx)), http.StatusConflict, errors.CodeInProgress, "1")
		time.Sleep(time.Minute)
		wantAnswer(t, serve(h, post("/", "k", `{"a":1}`)), http.StatusOK, `{"a":1}`, true)
	})
}

func TestHandlerBody(t *testing.T) {
	t.Parallel()
	h := protect(t, idempotency.HandlerConfig{MaxBody: 10}, func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Errorf("ParseForm: %v", err)
		}
		_, _ = fmt.Fprintf(w, "%d %s", r.ContentLength, r.PostForm.Get("a"))
	})
	form := func(key, body string) *http.Request {
		r := post("/", key, body)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	wantAnswer(t, serve(h, form("k1", "a=12345678")), http.StatusOK, "10 12345678", false)
	wantProblem(t, serve(h, form("k2", "a=123456789")), http.StatusRequestEntityTooLarge, "body_too_large", "")
	chunked := form("k3", "a=1")
	chunked.ContentLength, chunked.TransferEncoding = -1, []string{"chunked"}
	wantAnswer(t, serve(h, chunked), http.StatusOK, "3 1", false)
	wantAnswer(t, serve(h, form("k3", "a=1")), http.StatusOK, "3 1", true)
	none := form("k4", "")
	none.Body = nil
	wantAnswer(t, serve(h, none), http.StatusOK, "0 ", false)
	broken := form("k5", "")
	broken.Body = io.NopCloser(io.MultiReader(strings.NewReader("a="), brokenReader{}))
	wantProblem(t, serve(h, broken), http.StatusBadRequest, "body_unreadable", "")
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestHandlerConfig(t *testing.T) {
	t.Parallel()
	_, err := idempotency.Handler(nil, nil, idempotency.HandlerConfig{
		Wait: -1, MaxBody: -1, Methods: []string{"GE T"}, KeepHeaders: []string{""}, Docs: "docs",
	})
	const want = `portavoz/idempotency: Wait: is negative
portavoz/idempotency: MaxBody: is negative
portavoz/idempotency: Methods: one of them is no method
portavoz/idempotency: KeepHeaders: one of them is no header name
portavoz/idempotency: Docs: is not an absolute URL without a fragment
portavoz/idempotency: engine: is nil
portavoz/idempotency: caller: is nil`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%v", err, want)
	}
	if problem, ok := errors.AsType[*idempotency.ConfigError](err); !ok || problem.Field != "Wait" {
		t.Errorf("the first problem is %v, want that of Wait", problem)
	}
}
