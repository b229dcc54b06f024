package zkreal

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// DefaultChroot is where everything goes if a connection string names no chroot.
const DefaultChroot = "/controllerscope"

// Address is a parsed connection string.
type Address struct {
	Servers []string // host:port each, at least one
	Chroot  string   // begins with a slash, does not end with one; "" is the server's root
}

// ParseAddress reads host1:port,host2:port,host3:port/chroot, ZooKeeper's form. A missing port is 2181, a missing chroot
// DefaultChroot; "/" alone is the server's root.
func ParseAddress(s string) (Address, error) {
	hosts, chroot := s, DefaultChroot
	if i := strings.IndexByte(s, '/'); i >= 0 {
		hosts, chroot = s[:i], s[i:]
	}
	a := Address{Chroot: chroot}
	if chroot == "/" {
		a.Chroot = ""
	} else if err := checkChroot(chroot); err != nil {
		return Address{}, fmt.Errorf("ZooKeeper address %q: %w", s, err)
	}
	for _, h := range strings.Split(hosts, ",") {
		server, err := serverAddress(strings.TrimSpace(h))
		if err != nil {
			return Address{}, fmt.Errorf("ZooKeeper address %q: %w", s, err)
		}
		a.Servers = append(a.Servers, server)
	}
	return a, nil
}

// String is the connection string again.
func (a Address) String() string {
	chroot := a.Chroot
	if chroot == "" {
		chroot = "/"
	}
	return strings.Join(a.Servers, ",") + chroot
}

// serverAddress completes host or host:port.
func serverAddress(h string) (string, error) {
	if h == "" {
		return "", fmt.Errorf("a host is missing; write host:port,host:port/chroot")
	}
	if !strings.Contains(h, ":") || strings.HasSuffix(h, "]") {
		h += ":2181"
	}
	host, port, err := net.SplitHostPort(h)
	if err != nil || host == "" {
		return "", fmt.Errorf("%q is not host:port", h)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("%q is not a port; 1 to 65535 are", port)
	}
	return h, nil
}

// checkChroot accepts what the library accepts as a path, without the server's own folder.
func checkChroot(path string) error {
	for _, part := range strings.Split(path[1:], "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("the chroot %s is not a path; write /name or /name/name", path)
		}
	}
	if path == "/zookeeper" || strings.HasPrefix(path, "/zookeeper/") {
		return fmt.Errorf("the chroot %s belongs to ZooKeeper itself; choose another", path)
	}
	return nil
}
