package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"controllerscope/headless/internal/zkensemble"
)

// conformZookeeper runs the command.
func conformZookeeper(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Zookeeper(args, &o, &e)
	return code, o.String(), e.String()
}

// caseFile writes a case file.
func caseFile(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "cases.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const good = `{"name":"good","steps":[{"session":"A","op":"open"},{"session":"A","op":"exists","args":{"path":"~"},"expect":{"exists":true}}]}`
const bad = `{"name":"bad","steps":[{"session":"A","op":"open"},{"session":"A","op":"exists","args":{"path":"~/x"},"expect":{"exists":true}}]}`

func TestZookeeperPasses(t *testing.T) {
	code, out, errs := conformZookeeper(caseFile(t, `{"format":"zkcases/1","cases":[`+good+`]}`))
	assert.Equal(t, []any{0, "1 passed, 0 failed\n", ""}, []any{code, out, errs})
}

func TestZookeeperFails(t *testing.T) {
	file := caseFile(t, `{"format":"zkcases/1","cases":[`+good+`,`+bad+`]}`)
	code, out, errs := conformZookeeper(file)
	assert.Equal(t, []any{1, "case bad, step 2 (exists), exists: want true, got false\n1 passed, 1 failed\n", ""}, []any{code, out, errs})
	code, out, _ = conformZookeeper("--json", file)
	assert.Equal(t, 1, code)
	assert.JSONEq(t, `{"passed":1,"failed":1,"microVersion":{"passed":0,"failed":0},
		"failures":[{"case":"bad","step":2,"op":"exists","field":"exists","want":true,"got":false}]}`, out)
}

func TestZookeeperUsage(t *testing.T) {
	file := caseFile(t, `{"format":"zkcases/1","cases":[`+good+`]}`)
	for _, c := range []struct {
		args []string
		code int
		errs string
	}{
		{nil, 2, "conform zookeeper: a FILE of cases is wanted, or --random N; see headless conform zookeeper -h\n"},
		{[]string{"--random", "5"}, 2, "conform zookeeper: --random compares with a real ZooKeeper; name it with --zk HOST:PORT/CHROOT\n"},
		{[]string{"--random", "0", "--zk", "127.0.0.1:1"}, 2, "conform zookeeper: --random 0 is no number of operations; it must be 1 or more\n"},
		{[]string{"--random", "5", "--zk", "127.0.0.1:1", file}, 2, "conform zookeeper: --random makes up its histories; leave " + file + " out\n"},
		{[]string{"--random", "5", "--zk", "127.0.0.1:1", "--json"}, 2, "conform zookeeper: --json is the report on a FILE; leave it out with --random\n"},
		{[]string{file, "--seed", "7"}, 2, "conform zookeeper: --seed goes with --random N\n"},
		{[]string{file, "--zk="}, 2, "conform zookeeper: --zk is empty; give HOST:PORT/CHROOT, or leave --zk out\n"},
		{[]string{"--random", "5", "--zk", "127.0.0.1:1"}, 3, "127.0.0.1:1"},
		{[]string{file, file}, 2, `conform zookeeper: one FILE is wanted, "` + file + `" is a second one` + "\n"},
		{[]string{"nowhere.json"}, 2, "conform zookeeper: open nowhere.json: no such file or directory; give a file of the format zkcases/1\n"},
		{[]string{caseFile(t, `{"format":"zkcases/1"}`)}, 2, `there are no cases: "cases" must be a list with at least one`},
		{[]string{file, "--zk", "localhost:port"}, 2, `conform zookeeper: --zk: ZooKeeper address "localhost:port"`},
		{[]string{"--zk", "127.0.0.1:1", file}, 3, "127.0.0.1:1"},
	} {
		code, out, errs := conformZookeeper(c.args...)
		assert.Equal(t, c.code, code, c.args)
		assert.Empty(t, out)
		assert.Contains(t, errs, c.errs)
	}
}

// TestZookeeperOnRealServer plays in a chroot and leaves nothing but its mark.
func TestZookeeperOnRealServer(t *testing.T) {
	e := zkensemble.ForTest(t, zkensemble.Options{})
	file := caseFile(t, `{"format":"zkcases/1","cases":[`+good+`,`+bad+`]}`)
	code, out, errs := conformZookeeper(file, "--zk", e.Connect()+"/a/b")
	assert.Equal(t, []any{1, "case bad, step 2 (exists), exists: want true, got false\n1 passed, 1 failed\n", ""}, []any{code, out, errs})
	code, _, refused := conformZookeeper(file, "--zk", e.Connect()+"/a")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, refused, "holds somebody else's data")
	code, out, errs = conformZookeeper("--random", "1", "--seed", "7", "--zk", e.Connect())
	assert.Equal(t, 0, code, errs)
	assert.Regexp(t, `^\d+ operations in 1 histories from seed 7, \d+ sessions expired, \S+, \d+ operations a second: no difference\n$`, out)
}
