package zkmem

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"controllerscope/core/zk"
)

func TestFixupACL(t *testing.T) {
	one := func(scheme, id string) []zk.ACL { return []zk.ACL{{Perms: 31, Scheme: scheme, ID: id}} }
	for _, c := range []struct {
		list []zk.ACL
		want zk.Code
	}{
		{nil, zk.OK}, {[]zk.ACL{}, zk.InvalidACL}, {one("world", "anyone"), zk.OK}, {one("world", "x"), zk.InvalidACL},
		{one("nosuch", "x"), zk.InvalidACL}, {one("auth", ""), zk.InvalidACL}, {one("digest", "a:b"), zk.OK},
		{one("digest", "a"), zk.InvalidACL}, {one("digest", "a:b:c"), zk.InvalidACL}, {one("digest", "a:"), zk.InvalidACL},
		{one("digest", "a:b:"), zk.OK}, {one("ip", "10.0.0.0/8"), zk.OK}, {one("ip", "10.0.0.1"), zk.OK},
		{one("ip", "10.0.0.0/99"), zk.InvalidACL}, {one("ip", "ten"), zk.InvalidACL},
	} {
		_, code := fixupACL(c.list, newAuth())
		assert.Equal(t, c.want, code, "%v", c.list)
	}
}

func TestIPEntriesMatchTheAddress(t *testing.T) {
	for id, want := range map[string]bool{"127.0.0.1": true, "127.0.0.0/8": true, "127.0.0.2": false, "10.0.0.0/8": false, "::1": false} {
		l, code := fixupACL([]zk.ACL{{Perms: permRead, Scheme: "ip", ID: id}}, nil)
		assert.Equal(t, zk.OK, code)
		assert.Equal(t, want, l.allows(permRead, newAuth()), id)
		assert.False(t, l.allows(permWrite, newAuth()))
	}
}

func TestGetACLHidesDigestsFromWhoIsNotAdmin(t *testing.T) {
	b := newBench(t, Options{})
	list := []zk.ACL{{Perms: 31, Scheme: "digest", ID: "u:Jq7wMyA/w2Vd5WIDAKdu4OIIFEQ="}, {Perms: 1, Scheme: "world", ID: "anyone"}}
	b.do(zk.Op{Kind: zk.Create, Path: "/d", ACL: list})
	r, _ := b.do(zk.Op{Kind: zk.GetACL, Path: "/d"})
	assert.Equal(t, "u:x", r.ACL[0].ID)
	r, _ = b.do(zk.Op{Kind: zk.AddAuth, Auth: zk.Auth{Scheme: "digest", Data: []byte("u:p")}})
	assert.Equal(t, zk.OK, r.Err)
	r, _ = b.do(zk.Op{Kind: zk.GetACL, Path: "/d"})
	assert.Equal(t, list, r.ACL)
	for _, scheme := range []string{"world", "nosuch"} {
		r, _ = b.do(zk.Op{Kind: zk.AddAuth, Auth: zk.Auth{Scheme: scheme, Data: []byte("anyone")}})
		assert.Equal(t, zk.AuthFailed, r.Err)
	}
}
