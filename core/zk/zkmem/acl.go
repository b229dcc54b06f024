package zkmem

import (
	"encoding/base64"
	"net/netip"
	"slices"
	"strings"

	"controllerscope/core/zk"
)

// Permissions of an access control list.
const (
	permRead int32 = 1 << iota
	permWrite
	permCreate
	permDelete
	permAdmin
	permAll = permRead | permWrite | permCreate | permDelete | permAdmin
)

// aclList is a checked list, shared by nodes and never changed.
type aclList struct{ entries []zk.ACL }

var (
	openACL     = &aclList{[]zk.ACL{{Perms: permAll, Scheme: "world", ID: "anyone"}}}
	readOnlyACL = &aclList{[]zk.ACL{{Perms: permRead, Scheme: "world", ID: "anyone"}}}
)

// identity is one credential of a connection, as an entry would name it.
type identity struct{ scheme, id string }

// clientAddress is the address every session of the store comes from; ip entries are matched against it.
const clientAddress = "127.0.0.1"

func newAuth() []identity { return []identity{{"ip", clientAddress}} }

// fixupACL checks a list and replaces auth entries by the connection's credentials
// (PrepRequestProcessor.fixupACL). nil stands for world:anyone with all permissions.
func fixupACL(list []zk.ACL, auth []identity) (*aclList, zk.Code) {
	if list == nil {
		return openACL, zk.OK
	}
	var out []zk.ACL
	for i, a := range list {
		if slices.Contains(list[:i], a) {
			continue
		}
		switch {
		case a.Scheme == "world" && a.ID == "anyone", a.Scheme == "digest" && validDigest(a.ID),
			a.Scheme == "ip" && validIP(a.ID):
			out = append(out, a)
		case a.Scheme == "auth":
			before := len(out)
			for _, id := range auth {
				if id.scheme == "digest" {
					out = append(out, zk.ACL{Perms: a.Perms, Scheme: id.scheme, ID: id.id})
				}
			}
			if len(out) == before {
				return nil, zk.InvalidACL
			}
		default:
			return nil, zk.InvalidACL
		}
	}
	if len(out) == 0 {
		return nil, zk.InvalidACL
	}
	return &aclList{out}, zk.OK
}

// validDigest is DigestAuthenticationProvider.isValid: Java's split at colons, which forgets empty parts at the end,
// gives two.
func validDigest(id string) bool {
	trimmed := strings.TrimRight(id, ":")
	return trimmed != "" && strings.Count(trimmed, ":") == 1
}

func validIP(id string) bool {
	_, ok := parseIP(id)
	return ok
}

// parseIP reads an address with optional /bits.
func parseIP(id string) (netip.Prefix, bool) {
	if !strings.Contains(id, "/") {
		addr, err := netip.ParseAddr(id)
		if err != nil {
			return netip.Prefix{}, false
		}
		return netip.PrefixFrom(addr, addr.BitLen()), true
	}
	prefix, err := netip.ParsePrefix(id)
	return prefix, err == nil
}

// allows reports whether a connection with these credentials has one of the permissions (ZooKeeperServer.checkACL).
func (l *aclList) allows(perms int32, auth []identity) bool {
	for _, a := range l.entries {
		if a.Perms&perms == 0 {
			continue
		}
		if a.Scheme == "world" {
			return true
		}
		for _, id := range auth {
			if id.scheme == a.Scheme && matches(id, a.ID) {
				return true
			}
		}
	}
	return false
}

func matches(id identity, pattern string) bool {
	if id.scheme != "ip" {
		return id.id == pattern
	}
	prefix, ok := parseIP(pattern)
	return ok && prefix.Contains(netip.MustParseAddr(id.id))
}

// shown is the list as get_acl gives it: a caller who is not admin does not see the digests.
func (l *aclList) shown(auth []identity) []zk.ACL {
	out := slices.Clone(l.entries)
	if l.allows(permAdmin, auth) {
		return out
	}
	for i := range out {
		if user, _, found := strings.Cut(out[i].ID, ":"); found && out[i].Scheme == "digest" {
			out[i].ID = user + ":x"
		}
	}
	return out
}

// addAuth adds a credential to the connection. digest accepts anything; a scheme the server has no provider for fails,
// and a server then drops the connection.
func (ss *session) addAuth(a zk.Auth) zk.Code {
	switch a.Scheme {
	case "digest":
		user, _, _ := strings.Cut(string(a.Data), ":")
		sum := sha1Sum(a.Data)
		id := identity{a.Scheme, user + ":" + base64.StdEncoding.EncodeToString(sum)}
		if !slices.Contains(ss.auth, id) {
			ss.auth = append(ss.auth, id)
		}
		return zk.OK
	case "ip":
		return zk.OK // the address is among the credentials already
	}
	return zk.AuthFailed
}
