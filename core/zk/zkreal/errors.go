package zkreal

import (
	"errors"
	"fmt"
)

// ErrServer is wrapped by every error that means that the server could not be reached, went away or did not answer: the
// surroundings failed, not what was asked.
var ErrServer = errors.New("ZooKeeper is not available")

// ErrNotOurs is wrapped by the refusal to write into a chroot that holds somebody else's data.
var ErrNotOurs = errors.New("not a chroot of controllerscope")

// Difference is the error of a run in which the server and the mirror did not agree.
type Difference struct {
	Request string // what was asked, of which session
	Field   string // where the two differ: "stat.version", "events of session 0x..."
	Server  string
	Mirror  string
}

func (d *Difference) Error() string {
	return fmt.Sprintf("%s: %s: the server has %s, the emulator %s", d.Request, d.Field, d.Server, d.Mirror)
}
