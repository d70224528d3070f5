package transport

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/call"
)

// TrustedHeader takes the name of the principal from a header that an API
// gateway in front sets, such as X-Consumer-Username. It is believed only when
// the connection itself comes from one of the networks, each a CIDR such as
// "10.0.0.0/8" or one address; a header from anywhere else is as good as
// absent. X-Forwarded-For plays no part.
//
// Name the gateway's own addresses, and see that it drops the header from what
// its clients send. A peer that has no IP address, as on a Unix socket, is not
// believed. The name must be printable and 255 bytes at most.
func TrustedHeader(header string, networks ...string) Credential {
	c := Credential{kind: "TrustedHeader", name: header}
	if !validHeader(header) {
		c.name = ""
		c.problems = append(c.problems, "the header name is not a token of RFC 9110")
	}
	if len(networks) == 0 {
		c.problems = append(c.problems, "needs at least one network whose word is taken")
	}
	p := &peerProof{header: http.CanonicalHeaderKey(header)}
	for _, network := range networks {
		prefix, problem := parseNetwork(network)
		if problem != "" {
			c.problems = append(c.problems, "network "+strconv.Quote(network)+" "+problem)
			continue
		}
		p.networks = append(p.networks, prefix)
	}
	c.proof = p
	return c
}

// parseNetwork reads a CIDR or an address. IPv4 in IPv6 (RFC 4291, 2.5.5.2) is
// the same as IPv4.
func parseNetwork(s string) (prefix netip.Prefix, problem string) {
	if addr, err := netip.ParseAddr(s); err == nil {
		addr = addr.Unmap().WithZone("")
		return netip.PrefixFrom(addr, addr.BitLen()), ""
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return prefix, "is no CIDR and no address"
	}
	if addr, bits := prefix.Addr(), prefix.Bits(); addr.Is4In6() && bits >= 96 {
		prefix = netip.PrefixFrom(addr.Unmap(), bits-96)
	}
	switch {
	case prefix.Bits() == 0:
		return prefix, "trusts the whole internet"
	case prefix.Masked() != prefix:
		return prefix, "has bits beyond its mask; " + prefix.Masked().String() + " is the network"
	}
	return prefix, ""
}

type peerProof struct {
	header   string
	networks []netip.Prefix
}

func (p *peerProof) prove(r *http.Request) (call.Caller, error) {
	if !p.trusts(r.RemoteAddr) {
		return call.Caller{}, errAbsent
	}
	name, err := line(r, p.header)
	if err != nil {
		return call.Caller{}, err
	}
	name = strings.TrimSpace(name)
	if !validName(name) {
		return call.Caller{}, &rejection{reason: "unusable_name"}
	}
	return call.Caller{Name: name}, nil
}

func (p *peerProof) trusts(remote string) bool {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return false
	}
	// A zone names the interface of a link-local peer; a network has none.
	addr := peer.Addr().Unmap().WithZone("")
	return slices.ContainsFunc(p.networks, func(n netip.Prefix) bool { return n.Contains(addr) })
}
