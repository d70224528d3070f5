package redact

import (
	"net/netip"
	"strings"
)

// before reports whether the byte before i is of one of the classes and still
// in reach.
func (r *scanner) before(i int, set uint16) bool {
	return i > r.floor && byteClass[r.s[i-1]]&set != 0
}

// ipv4 returns the end of the address of the inside that starts with the digit
// at i, with its port or prefix length; 0 if there is none. It takes exactly
// four numbers, so that versions and amounts stay, and "$" makes an amount of
// anything.
func (r *scanner) ipv4(i int) int {
	s := r.s
	if r.before(i, dot) && r.before(i-1, alnum) {
		return 0
	}
	if amount := strings.TrimRight(s[max(r.floor, i-2):i], " "); strings.HasSuffix(amount, "$") {
		return 0
	}
	var ip [4]byte
	end := i
	for k := range ip {
		if k > 0 {
			if !isByte(s, end, dot) {
				return 0
			}
			end++
		}
		n, first := 0, end
		for end < first+3 && isByte(s, end, digit) {
			n = n*10 + int(s[end]-'0')
			end++
		}
		if end == first || n > 255 {
			return 0
		}
		ip[k] = byte(n)
	}
	if longer(s, end) || !insideNet(netip.AddrFrom4(ip)) {
		return 0
	}
	if end < len(s) && s[end] == '/' {
		return number(s, end, 2)
	}
	return portEnd(s, end)
}

// longer reports whether the number that ends at i is a part of something
// longer.
func longer(s string, i int) bool {
	return glued(s, i) || isByte(s, i, dot) && glued(s, i+1) && !isByte(s, i+1, letter)
}

// insideNet reports whether an address says something about the inside of a
// network only.
func insideNet(ip netip.Addr) bool {
	if ip.Is4() {
		b := ip.As4()
		if b[0] == 100 && b[1]&0xC0 == 64 || b == [4]byte{} { // 100.64.0.0/10, RFC 6598; 0.0.0.0
			return true
		}
	}
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast()
}

// portEnd returns the end of the port at i, and i if there is none.
func portEnd(s string, i int) int {
	if i < len(s) && s[i] == ':' {
		return number(s, i, 5)
	}
	return i
}

// number returns the end of the number of at most that many digits behind
// the byte at i, and i if there is none.
func number(s string, i, digits int) int {
	end := runEnd(s, i+1, digit)
	if end == i+1 || end > i+1+digits || glued(s, end) {
		return i
	}
	return end
}

// ipv6 returns the address of the inside that starts at i, with its zone, and
// with port if it is in brackets; hi is 0 if there is none.
func (r *scanner) ipv6(i int) (lo, hi int) {
	s := r.s
	switch {
	case s[i] == ':' && (!strings.HasPrefix(s[i:], "::") || r.before(i, alnum)):
		return 0, 0
	case s[i] != ':' && !(i+4 < len(s) && s[i+4] == ':'): // the first group is written in full
		return 0, 0
	}
	if i > r.floor && s[i-1] == ':' { // perhaps the end of a longer address
		k := i - 1
		for k > i-6 && r.before(k, hex|digit) {
			k--
		}
		if k < i-1 && !r.before(k, alnum) || k > r.floor && s[k-1] == ':' {
			return 0, 0
		}
	}
	end := i
	for isByte(s, end, hex|digit) || end < len(s) && s[end] == ':' {
		if end++; end-i > len("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:") {
			return 0, 0
		}
	}
	if strings.HasSuffix(s[i:end], ":") && !strings.HasSuffix(s[i:end], "::") && !glued(s, end) {
		end--
	}
	if strings.Count(s[i:end], ":") < 2 {
		return 0, 0
	}
	ip, err := netip.ParseAddr(s[i:end])
	if err != nil || !ip.Is6() || !insideNet(ip) || longer(s, end) {
		return 0, 0
	}
	if end < len(s) && s[end] == '%' {
		end = runEnd(s, end+1, url64)
	}
	if i > r.floor && s[i-1] == '[' && end < len(s) && s[end] == ']' {
		return i - 1, portEnd(s, end+1)
	}
	return i, end
}

// zones are the last labels of names that only a private resolver knows.
var zones = [...]string{"internal", "local", "svc", "corp", "lan", "localdomain"}

// host returns the name of an inside host whose last dot is at i, with its
// port; hi is 0 if there is none. A label with one capital is the start of a
// sentence that lacks a space, and "ana.local@" is a mailbox.
func (r *scanner) host(i int) (lo, hi int) {
	s := r.s
	if !isByte(s, i+1, letter) {
		return 0, 0
	}
	end := runEnd(s, i+1, url64)
	goesOn := glued(s, end) || isByte(s, end, dot) && glued(s, end+1) || end < len(s) && s[end] == '@'
	if goesOn || !internalZone(s[i+1:end]) {
		return 0, 0
	}
	lo = i
	for i-lo < 253 && r.before(lo, url64|dot) { // RFC 1035, section 2.3.4
		lo--
	}
	if lo > r.floor && s[lo-1] >= 0x80 {
		return 0, 0
	}
	for lo < i && !isByte(s, lo, alnum) {
		lo++
	}
	if lo == i {
		return 0, 0
	}
	return lo, portEnd(s, end)
}

func internalZone(label string) bool {
	for _, zone := range zones {
		if strings.EqualFold(label, zone) {
			return (byteClass[label[0]]^byteClass[label[1]])&letter == 0
		}
	}
	return false
}

// localhost returns the start of the word localhost that ends at i, before a
// port; hi is 0 if it is not there.
func (r *scanner) localhost(i int) (lo, hi int) {
	lo = i - len("localhost")
	if lo < r.floor || !fold(r.s, lo, "localhost") || r.before(lo, alnum) {
		return 0, 0
	}
	if hi = portEnd(r.s, i); hi == i {
		return 0, 0
	}
	return lo, hi
}
