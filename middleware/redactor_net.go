package middleware

import (
	"net/netip"
	"strings"
)

// before reports whether the byte before i is of one of the classes and still
// in reach.
func (r *redactScanner) before(i int, set uint16) bool {
	return i > r.floor && redactBytes[r.s[i-1]]&set != 0
}

// ipv4 returns the end of the address of the inside that starts with the digit
// at i, with its port or prefix length; 0 if there is none. It takes exactly
// four numbers, so that versions and amounts stay, and "$" makes an amount of
// anything.
func (r *redactScanner) ipv4(i int) int {
	s := r.s
	if r.before(i, redactDot) && r.before(i-1, redactAlnum) {
		return 0
	}
	if amount := strings.TrimRight(s[max(r.floor, i-2):i], " "); strings.HasSuffix(amount, "$") {
		return 0
	}
	var ip [4]byte
	end := i
	for k := range ip {
		if k > 0 {
			if !redactIs(s, end, redactDot) {
				return 0
			}
			end++
		}
		n, first := 0, end
		for end < first+3 && redactIs(s, end, redactDigit) {
			n = n*10 + int(s[end]-'0')
			end++
		}
		if end == first || n > 255 {
			return 0
		}
		ip[k] = byte(n)
	}
	if redactLonger(s, end) || !redactInside(netip.AddrFrom4(ip)) {
		return 0
	}
	if end < len(s) && s[end] == '/' {
		return redactNumber(s, end, 2)
	}
	return redactPort(s, end)
}

// redactLonger reports whether the number that ends at i is a part of something
// longer.
func redactLonger(s string, i int) bool {
	return redactGlued(s, i) || redactIs(s, i, redactDot) && redactGlued(s, i+1) && !redactIs(s, i+1, redactLetter)
}

// redactInside reports whether an address says something about the inside of a
// network only.
func redactInside(ip netip.Addr) bool {
	if ip.Is4() {
		b := ip.As4()
		if b[0] == 100 && b[1]&0xC0 == 64 || b == [4]byte{} { // 100.64.0.0/10, RFC 6598; 0.0.0.0
			return true
		}
	}
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast()
}

// redactPort returns the end of the port at i, and i if there is none.
func redactPort(s string, i int) int {
	if i < len(s) && s[i] == ':' {
		return redactNumber(s, i, 5)
	}
	return i
}

// redactNumber returns the end of the number of at most that many digits behind
// the byte at i, and i if there is none.
func redactNumber(s string, i, digits int) int {
	end := redactRun(s, i+1, redactDigit)
	if end == i+1 || end > i+1+digits || redactGlued(s, end) {
		return i
	}
	return end
}

// ipv6 returns the address of the inside that starts at i, with its zone, and
// with port if it is in brackets; hi is 0 if there is none.
func (r *redactScanner) ipv6(i int) (lo, hi int) {
	s := r.s
	switch {
	case s[i] == ':' && (!strings.HasPrefix(s[i:], "::") || r.before(i, redactAlnum)):
		return 0, 0
	case s[i] != ':' && !(i+4 < len(s) && s[i+4] == ':'): // the first group is written in full
		return 0, 0
	}
	if i > r.floor && s[i-1] == ':' { // perhaps the end of a longer address
		k := i - 1
		for k > i-6 && r.before(k, redactHex|redactDigit) {
			k--
		}
		if k < i-1 && !r.before(k, redactAlnum) || k > r.floor && s[k-1] == ':' {
			return 0, 0
		}
	}
	end := i
	for redactIs(s, end, redactHex|redactDigit) || end < len(s) && s[end] == ':' {
		if end++; end-i > len("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:") {
			return 0, 0
		}
	}
	if strings.HasSuffix(s[i:end], ":") && !strings.HasSuffix(s[i:end], "::") && !redactGlued(s, end) {
		end--
	}
	if strings.Count(s[i:end], ":") < 2 {
		return 0, 0
	}
	ip, err := netip.ParseAddr(s[i:end])
	if err != nil || !ip.Is6() || !redactInside(ip) || redactLonger(s, end) {
		return 0, 0
	}
	if end < len(s) && s[end] == '%' {
		end = redactRun(s, end+1, redactURL64)
	}
	if i > r.floor && s[i-1] == '[' && end < len(s) && s[end] == ']' {
		return i - 1, redactPort(s, end+1)
	}
	return i, end
}

// redactZones are the last labels of names that only a private resolver knows.
var redactZones = [...]string{"internal", "local", "svc", "corp", "lan", "localdomain"}

// host returns the name of an inside host whose last dot is at i, with its
// port; hi is 0 if there is none. A label with one capital is the start of a
// sentence that lacks a space, and "ana.local@" is a mailbox.
func (r *redactScanner) host(i int) (lo, hi int) {
	s := r.s
	if !redactIs(s, i+1, redactLetter) {
		return 0, 0
	}
	end := redactRun(s, i+1, redactURL64)
	goesOn := redactGlued(s, end) || redactIs(s, end, redactDot) && redactGlued(s, end+1) || end < len(s) && s[end] == '@'
	if goesOn || !redactZone(s[i+1:end]) {
		return 0, 0
	}
	lo = i
	for i-lo < 253 && r.before(lo, redactURL64|redactDot) { // RFC 1035, section 2.3.4
		lo--
	}
	if lo > r.floor && s[lo-1] >= 0x80 {
		return 0, 0
	}
	for lo < i && !redactIs(s, lo, redactAlnum) {
		lo++
	}
	if lo == i {
		return 0, 0
	}
	return lo, redactPort(s, end)
}

func redactZone(label string) bool {
	for _, zone := range redactZones {
		if strings.EqualFold(label, zone) {
			return (redactBytes[label[0]]^redactBytes[label[1]])&redactLetter == 0
		}
	}
	return false
}

// localhost returns the start of the word localhost that ends at i, before a
// port; hi is 0 if it is not there.
func (r *redactScanner) localhost(i int) (lo, hi int) {
	lo = i - len("localhost")
	if lo < r.floor || !redactFold(r.s, lo, "localhost") || r.before(lo, redactAlnum) {
		return 0, 0
	}
	if hi = redactPort(r.s, i); hi == i {
		return 0, 0
	}
	return lo, hi
}
