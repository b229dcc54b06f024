package dynconfig

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ofJava was encrypted by a JVM's javax.crypto, as PasswordEncoder calls it: salt 0 to 255, initialization vector 0, 7, 14 ….
func ofJava() (text, password string, random func(n int) []byte) {
	bytes := func(n int, step byte) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(i) * step
		}
		return out
	}
	random = func(n int) []byte {
		if n == 16 {
			return bytes(n, 7)
		}
		return bytes(n, 1)
	}
	return "encryptedPassword:cqD5gvVelYqSGYZvccYnqQ==,keyLength:128,cipherAlgorithm:AES/CBC/PKCS5Padding," +
		"initializationVector:AAcOFRwjKjE4P0ZNVFtiaQ==,keyFactoryAlgorithm:PBKDF2WithHmacSHA512,passwordLength:12," +
		"salt:" + base64(bytes(256, 1)) + ",iterations:4096", "pass\U0001F600word-ü", random
}

func TestPasswordsAreStoredAsJavaStoresThem(t *testing.T) {
	text, password, random := ofJava()
	p := NewPasswordEncoder(config{"password.encoder.secret": "dynamic-config-secret-é"}, "password.encoder.secret", random)
	got, err := p.Encode(password)
	require.NoError(t, err)
	require.Equal(t, text, got)
	back, err := p.Decode(text)
	require.NoError(t, err)
	require.Equal(t, password, back)

	for bits, length := range map[string]string{"192": "0", "256": "17"} {
		p := NewPasswordEncoder(config{"s": "x", "password.encoder.key.length": bits, "password.encoder.iterations": "1024"}, "s", random)
		password := strings.Repeat("p", len(length)*16-15+len(bits)) // both sides of a block
		text, err := p.Encode(password)
		require.NoError(t, err)
		require.Contains(t, text, "keyLength:"+bits)
		require.Contains(t, text, "iterations:1024")
		back, err := p.Decode(text)
		require.NoError(t, err)
		require.Equal(t, password, back)
	}
}

func TestPasswordsThatCannotBeDecoded(t *testing.T) {
	text, _, random := ofJava()
	p := NewPasswordEncoder(config{"s": "dynamic-config-secret-é"}, "s", random)
	for _, c := range []struct{ old, new, want string }{
		{"passwordLength:12", "passwordLength:13", "Password could not be decoded, sanity check of length failed"},
		{"iterations:4096", "iterations:4095", "Password could not be decoded"},
		{"iterations:4096", "iterations:0", `"0" iterations: want 1 to 1000000`},
		{"iterations:4096", "", `"" iterations: want 1 to 1000000`},
		{"keyLength:128", "keyLength:100", `a key length of "100": want 128, 192 or 256`},
		{"AES/CBC", "AES/GCM", `there is no cipher "AES/GCM/PKCS5Padding" here; AES/CBC/PKCS5Padding is`},
		{"HmacSHA512", "HmacSHA1", `there is no key factory "PBKDF2WithHmacSHA1" here; PBKDF2WithHmacSHA512 is`},
		{"cqD5gvVelYqSGYZvccYnqQ==", "cqD5", "Password could not be decoded"},
		{"cqD5gvVelYqSGYZvccYnqQ==", "cq?", `"cq?" is not base64`},
		{"AAcOFRwjKjE4P0ZNVFtiaQ==", "AAcO", "its initialization vector has no 16 bytes"},
	} {
		require.Contains(t, text, c.old)
		_, err := p.Decode(strings.Replace(text, c.old, c.new, 1))
		assert.ErrorContains(t, err, c.want, c.new)
	}
	_, err := p.Decode("secret")
	require.Error(t, err)
	var none *PasswordEncoder
	_, err = none.Decode(text)
	require.EqualError(t, err, "Password encoder secret not configured")
	_, err = none.Encode("x")
	require.EqualError(t, err, "Password encoder secret not configured")
	require.Nil(t, NewPasswordEncoder(config{}, "s", random))
}

// A level's passwords: encoded on the way to ZooKeeper, dropped on the way back when they cannot be decoded, encoded anew
// when the secret has changed.
func TestPasswordsOfALevel(t *testing.T) {
	const key = "listener.name.ext.ssl.keystore.password"
	_, _, random := ofJava()
	old := NewPasswordEncoder(config{"s": "old", "password.encoder.iterations": "1024"}, "s", random)
	next := NewPasswordEncoder(config{"s": "new", "password.encoder.iterations": "1024"}, "s", random)
	stored, err := old.EncodeAll(config{key: "p", "num.io.threads": "9"}, true)
	require.NoError(t, err)
	require.Equal(t, "9", stored["num.io.threads"])
	require.True(t, strings.HasPrefix(stored[key], "encryptedPassword:"))
	_, err = old.EncodeAll(config{"plugin.sasl.jaas.config": "p"}, false)
	require.EqualError(t, err, "Password config can be defined only at broker level")

	usable, dropped := UsableBroker(stored, true, old)
	require.Equal(t, config{key: "p", "num.io.threads": "9"}, usable)
	require.Empty(t, dropped)
	usable, dropped = UsableBroker(stored, true, next)
	require.Equal(t, config{"num.io.threads": "9"}, usable)
	require.Equal(t, []string{key}, dropped)

	again, found, err := old.Reencode(stored, next)
	require.NoError(t, err)
	require.True(t, found)
	usable, _ = UsableBroker(again, true, next)
	require.Equal(t, config{key: "p", "num.io.threads": "9"}, usable)
	same, found, err := old.Reencode(again, next) // the old secret cannot read it: left as it is
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, again, same)
	_, found, err = old.Reencode(config{"num.io.threads": "9"}, next)
	require.NoError(t, err)
	require.False(t, found)
	_, _, err = old.Reencode(stored, nil)
	require.EqualError(t, err, "Password encoder secret not configured")
	require.Equal(t, "DYNAMIC_BROKER_CONFIG:"+key+"=[hidden]", Layer{"DYNAMIC_BROKER_CONFIG", key, "p"}.String())
}
