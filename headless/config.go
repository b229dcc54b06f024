package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"controllerscope/core/dynconfig"
	"controllerscope/core/kafka"
	"controllerscope/core/run"
	"controllerscope/core/server"
	"controllerscope/core/zk/zkreal"
	"controllerscope/core/zk/zktree"
	"controllerscope/core/zkdata"
)

const configUsage = "config explain TYPE NAME KEY [--broker N] with -f SCRIPT, --load TREE or --zk HOST:PORT/CHROOT; " +
	"TYPE is broker, topic, user, client or ip, and the client of a user is alice/clients/app-1"

// configSource says what is asked and where the values come from.
type configSource struct {
	file, load, zk, properties string
	broker                     int
	seed                       uint64
}

// explained is the answer to config explain: the layers of a setting, the one in effect first.
type explained struct {
	Entity string            `json:"entity"`
	Key    string            `json:"key"`
	Mode   string            `json:"mode,omitempty"`
	Layers []dynconfig.Layer `json:"layers"`
	Stored string            `json:"stored,omitempty"` // what ZooKeeper holds, where the broker has not heard of it
}

// configCommand lists every layer of a config and says which one wins, as kafka-configs --describe --all shows synonyms.
func configCommand(args []string, out, errw io.Writer) int {
	var o configSource
	f := newFlags("config", errw)
	f.StringVar(&o.file, "f", "", "play a script `FILE` (- is standard input) and ask at its end")
	f.StringVar(&o.load, "load", "", "ask the tree in `FILE`, as headless dump prints it")
	f.StringVar(&o.zk, "zk", "", "ask a real ZooKeeper, read-only: `HOST:PORT[,HOST:PORT…][/CHROOT]`")
	f.StringVar(&o.properties, "properties", "", "with --load or --zk: server.properties of the broker, a `FILE` of KEY=VALUE lines")
	f.IntVar(&o.broker, "broker", -1, "of a topic: on which broker `N`; by default the first one")
	f.Uint64Var(&o.seed, "seed", 1, "of a script: what its dice start from")
	asJSON := f.Bool("json", false, "print one JSON object")
	rest, err := parse(f, args)
	if err != nil {
		return usage(err)
	}
	switch {
	case len(rest) != 4 || rest[0] != "explain":
		return fail(errw, exitUsage, "%s", configUsage)
	case o.broker < -1 || o.broker > math.MaxInt32:
		return fail(errw, exitUsage, "config explain: --broker %d is no broker id", o.broker)
	case o.file != "" && o.properties != "":
		return fail(errw, exitUsage, "config explain: --properties goes with --load or --zk; a script sets server.properties itself")
	}
	answer, code, err := o.explain(rest[1], rest[2], rest[3])
	if err != nil {
		return fail(errw, code, "config explain: %v", err)
	}
	if *asJSON {
		line, _ := json.Marshal(answer) // strings
		fmt.Fprintf(out, "%s\n", line)
		return exitOK
	}
	answer.tell(out)
	return exitOK
}

func (x explained) tell(out io.Writer) {
	fmt.Fprintf(out, "%s %s", x.Entity, x.Key)
	if x.Mode != "" {
		fmt.Fprintf(out, " (%s)", x.Mode)
	}
	fmt.Fprintln(out)
	for i, l := range x.Layers {
		fmt.Fprintf(out, "  %s %s\n", map[bool]string{true: "wins", false: "    "}[i == 0], l)
	}
	if len(x.Layers) == 0 {
		fmt.Fprintln(out, "  not set anywhere: no limit, or no value")
	}
	if x.Stored != "" {
		fmt.Fprintf(out, "  ZooKeeper holds %s; the broker has not heard of it\n", x.Stored)
	}
}

// explain finds the layers. code says what kind of error it is.
func (o configSource) explain(kind, name, key string) (explained, int, error) {
	entityType := map[string]string{"broker": zkdata.ConfigTypeBrokers, "topic": zkdata.ConfigTypeTopics, "user": zkdata.ConfigTypeUsers,
		"client": zkdata.ConfigTypeClients, "ip": zkdata.ConfigTypeIPs}[strings.TrimSuffix(kind, "s")]
	if entityType == "" {
		return explained{}, exitUsage, fmt.Errorf("%q is no type of entity; write broker, topic, user, client or ip", kind)
	}
	if err := dynconfig.CheckExplainable(entityType, key); err != nil {
		return explained{}, exitUsage, err
	}
	id := kafka.BrokerID(o.broker)
	if entityType == zkdata.ConfigTypeBrokers {
		var n int32
		if _, err := fmt.Sscanf(name+" ", "%d ", &n); err != nil {
			return explained{}, exitUsage, fmt.Errorf("%q is not a broker id", name)
		}
		id = kafka.BrokerID(n)
	}
	values, code, err := o.values(id)
	if err != nil {
		return explained{}, code, err
	}
	x := explained{Entity: entityType + "/" + name, Key: key}
	x.Layers = layersOf(entityType, name, key, values.levels, values.config)
	if entityType == zkdata.ConfigTypeBrokers {
		x.Mode = dynconfig.Mode(key)
	}
	if stored := layersOf(entityType, name, key, values.storedLevels, values.stored); len(stored) > 0 && (len(x.Layers) == 0 || stored[0] != x.Layers[0]) {
		x.Stored = stored[0].String()
	}
	for i, l := range x.Layers {
		x.Layers[i].Value = l.Shown()
	}
	return x, exitOK, nil
}

// configValues are the values as a broker applies them, and as ZooKeeper holds them.
type configValues struct {
	levels, storedLevels dynconfig.Levels
	config, stored       func(entity string) map[string]string
}

func layersOf(entityType, name, key string, levels dynconfig.Levels, config func(string) map[string]string) []dynconfig.Layer {
	switch entityType {
	case zkdata.ConfigTypeBrokers:
		return dynconfig.ExplainBroker(key, levels)
	case zkdata.ConfigTypeTopics:
		return dynconfig.ExplainTopic(key, config("topics/"+name), levels)
	case zkdata.ConfigTypeUsers:
		user, client, _ := strings.Cut(name, "/clients/")
		return dynconfig.ExplainQuota(key, user, client, config)
	case zkdata.ConfigTypeClients:
		return dynconfig.ExplainQuota(key, "", name, config)
	}
	var out []dynconfig.Layer
	for _, entity := range []string{"ips/" + name, "ips/" + zkdata.DefaultEntity} {
		if value, found := config(entity)[key]; found {
			out = append(out, dynconfig.Layer{Source: entity, Key: key, Value: value})
		}
	}
	return out
}

// values reads the configs from the one source that is given.
func (o configSource) values(id kafka.BrokerID) (configValues, int, error) {
	switch {
	case o.file != "" && o.load == "" && o.zk == "":
		return o.played(id)
	case o.file == "" && (o.load == "") != (o.zk == ""):
		return o.read(id)
	}
	return configValues{}, exitUsage, fmt.Errorf("give one of -f SCRIPT, --load TREE and --zk HOST:PORT/CHROOT")
}

// played plays a script; the broker must run at its end.
func (o configSource) played(id kafka.BrokerID) (configValues, int, error) {
	text, err := readScript(o.file)
	if err != nil {
		return configValues{}, exitUsage, err
	}
	r, err := run.Start(run.Inputs{Name: scriptName(o.file), Script: text, Seed: o.seed}, run.Options{Store: embedded(), Record: true, Bare: true})
	if err != nil {
		return configValues{}, exitUsage, err
	}
	defer r.Close()
	if err := r.Finish(); err != nil {
		return configValues{}, exitFailed, err
	}
	if r.World() == nil {
		return configValues{}, exitUsage, fmt.Errorf("the script makes no cluster")
	}
	var s *server.Server
	for _, b := range r.World().Brokers() {
		if (id < 0 || b == id) && r.World().Running(b) && s == nil {
			s, id = r.World().Server(b), b
		}
	}
	if s == nil {
		return configValues{}, exitUsage, fmt.Errorf("broker %s does not run at the end of the script", id)
	}
	v := stored(id, s.Levels().Static, func(path string) []byte {
		data, _ := r.Doc().Get("zk", path, "data").(string)
		return []byte(data)
	})
	v.levels = s.Levels()
	v.config = func(entity string) map[string]string {
		entityType, name, _ := strings.Cut(entity, "/")
		return s.Config().Config(entityType, name)
	}
	return v, exitOK, nil
}

// stored is what ZooKeeper holds, as a broker would apply it if it started now.
func stored(id kafka.BrokerID, static map[string]string, data func(path string) []byte) configValues {
	config := func(entity string) map[string]string {
		path := zkdata.ConfigPath + "/" + entity
		c, err := zkdata.DecodeConfig(path, data(path))
		if err != nil {
			return nil // a broker could not read it either
		}
		return c
	}
	passwords := dynconfig.NewPasswordEncoder(static, "password.encoder.secret", nil) // only decodes
	levels := dynconfig.Levels{Static: static}
	levels.All, _ = dynconfig.UsableBroker(config("brokers/"+zkdata.DefaultEntity), false, passwords)
	levels.Own, _ = dynconfig.UsableBroker(config("brokers/"+id.String()), true, passwords)
	return configValues{levels, levels, config, config}
}

// read takes a tree from a file or a real ZooKeeper.
func (o configSource) read(id kafka.BrokerID) (configValues, int, error) {
	static, err := readProperties(o.properties)
	if err != nil {
		return configValues{}, exitUsage, err
	}
	name, text := o.load, ""
	if o.zk != "" {
		address := o.zk
		if !strings.Contains(address, "/") {
			address += "/"
		}
		a, err := zkreal.ParseAddress(address)
		if err != nil {
			return configValues{}, exitUsage, err
		}
		if text, _, err = dump(a); err != nil {
			return configValues{}, exitEnvironment, err
		}
		name = o.zk
	} else {
		whole, err := os.ReadFile(o.load)
		if err != nil {
			return configValues{}, exitUsage, err
		}
		text = string(whole)
	}
	tree, err := zktree.Read(name, text)
	if err != nil {
		return configValues{}, exitUsage, err
	}
	nodes := map[string][]byte{}
	for _, n := range tree {
		nodes[n.Path] = n.Data
	}
	return stored(id, static, func(path string) []byte { return nodes[path] }), exitOK, nil
}

// readProperties reads KEY=VALUE lines; # begins a comment. No file is no properties.
func readProperties(file string) (map[string]string, error) {
	out := map[string]string{}
	if file == "" {
		return out, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found {
			return nil, fmt.Errorf("%s:%d: %q is not KEY=VALUE", file, i+1, line)
		}
		out[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return out, nil
}
