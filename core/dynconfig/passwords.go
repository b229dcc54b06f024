package dynconfig

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"controllerscope/core/kafka"
)

// passwordConfigs are the dynamic configs whose values are secret; behind a listener's prefix too, and whatever else ends
// like them. Kafka: DynamicBrokerConfig.DynamicPasswordConfigs.
var passwordConfigs = []string{"ssl.keystore.password", "ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.key.password",
	"ssl.truststore.password", "ssl.truststore.certificates", "sasl.jaas.config"}

// IsPassword reports whether the value of a broker config is secret. Kafka: DynamicBrokerConfig.isPasswordConfig.
func IsPassword(key string) bool {
	for _, name := range passwordConfigs {
		if strings.HasSuffix(key, name) {
			return true
		}
	}
	return false
}

// hidden is what is shown of a password. Kafka: Password.HIDDEN.
const hidden = "[hidden]"

// The algorithms that passwords are stored with unless server.properties says otherwise, and the only ones here.
const (
	keyFactory = "PBKDF2WithHmacSHA512"
	aesCBC     = "AES/CBC/PKCS5Padding"
)

// PasswordEncoder writes and reads passwords as config znodes hold them: encrypted, with all that is needed to decrypt them
// but the secret. A nil one has no secret, and refuses. Kafka: PasswordEncoder.
type PasswordEncoder struct {
	secret                string
	key, iterations       string // as server.properties has them
	keyFactory, algorithm string
	random                func(n int) []byte
}

// NewPasswordEncoder makes an encoder of what stands in server.properties under secret (password.encoder.secret, or
// password.encoder.old.secret); nil when nothing does. random draws bytes.
func NewPasswordEncoder(properties map[string]string, secret string, random func(n int) []byte) *PasswordEncoder {
	text, set := properties[secret]
	if !set {
		return nil
	}
	or := func(key, otherwise string) string {
		if value, set := properties["password.encoder."+key]; set {
			return value
		}
		return otherwise
	}
	return &PasswordEncoder{secret: text, key: or("key.length", "128"), iterations: or("iterations", "4096"),
		keyFactory: or("keyfactory.algorithm", keyFactory), algorithm: or("cipher.algorithm", aesCBC), random: random}
}

var errNoSecret = errors.New("Password encoder secret not configured")

// Encode encrypts a password with a key made of the secret and a new salt.
func (p *PasswordEncoder) Encode(password string) (string, error) {
	if p == nil {
		return "", errNoSecret
	}
	salt := p.random(256)
	key, err := p.keyOf(p.keyFactory, p.algorithm, p.key, p.iterations, salt)
	if err != nil {
		return "", err
	}
	iv := [16]byte(p.random(16))
	return strings.Join([]string{"encryptedPassword:" + base64(key.encryptCBC(iv, []byte(password))), "keyLength:" + p.key, "cipherAlgorithm:" + aesCBC,
		"initializationVector:" + base64(iv[:]), "keyFactoryAlgorithm:" + keyFactory, "passwordLength:" + strconv.Itoa(javaLength(password)),
		"salt:" + base64(salt), "iterations:" + p.iterations}, ","), nil
}

// Decode undoes Encode, whatever key length and iterations it was done with.
func (p *PasswordEncoder) Decode(text string) (string, error) {
	if p == nil {
		return "", errNoSecret
	}
	fields := map[string]string{}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), ":")
		fields[name] = value
	}
	salt, errSalt := unbase64(fields["salt"])
	iv, errIV := unbase64(fields["initializationVector"])
	data, errData := unbase64(fields["encryptedPassword"])
	if err := errors.Join(errSalt, errIV, errData); err != nil {
		return "", err
	}
	key, err := p.keyOf(fields["keyFactoryAlgorithm"], fields["cipherAlgorithm"], fields["keyLength"], fields["iterations"], salt)
	if err != nil {
		return "", err
	}
	if len(iv) != 16 {
		return "", errors.New("its initialization vector has no 16 bytes")
	}
	password, err := key.decryptCBC([16]byte(iv), data)
	switch {
	case err != nil || !utf8.Valid(password):
		return "", errors.New("Password could not be decoded")
	case strconv.Itoa(javaLength(string(password))) != fields["passwordLength"]:
		return "", errors.New("Password could not be decoded, sanity check of length failed")
	}
	return string(password), nil
}

// keyOf derives the key. More iterations than a million would take minutes.
func (p *PasswordEncoder) keyOf(factory, algorithm, length, iterations string, salt []byte) (aesKey, error) {
	switch {
	case factory != keyFactory:
		return nil, fmt.Errorf("there is no key factory %q here; %s is", factory, keyFactory)
	case algorithm != aesCBC:
		return nil, fmt.Errorf("there is no cipher %q here; %s is", algorithm, aesCBC)
	}
	n, err := strconv.Atoi(iterations)
	if err != nil || n < 1 || n > 1_000_000 {
		return nil, fmt.Errorf("%q iterations: want 1 to 1000000", iterations)
	}
	bits, err := strconv.Atoi(length)
	if err != nil || bits%64 != 0 || bits < 128 || bits > 256 {
		return nil, fmt.Errorf("a key length of %q: want 128, 192 or 256", length)
	}
	return newAESKey(deriveKey([]byte(p.secret), salt, n, bits/8))
}

// EncodeAll is a config as its znode holds it: passwords encrypted. Kafka: DynamicBrokerConfig.toPersistentProps.
func (p *PasswordEncoder) EncodeAll(config map[string]string, perBroker bool) (map[string]string, error) {
	out := map[string]string{}
	for _, key := range kafka.SortedKeys(config) {
		out[key] = config[key]
		if !IsPassword(key) {
			continue
		}
		if !perBroker {
			return nil, errors.New("Password config can be defined only at broker level")
		}
		text, err := p.Encode(config[key])
		if err != nil {
			return nil, err
		}
		out[key] = text
	}
	return out, nil
}

// Reencode replaces what this encoder of the old secret can decode by what the one of the new secret makes of it; found is
// false when the config has no password, and nothing is to be written. Kafka: DynamicBrokerConfig.maybeReEncodePasswords.
func (p *PasswordEncoder) Reencode(config map[string]string, with *PasswordEncoder) (out map[string]string, found bool, err error) {
	out = map[string]string{}
	for _, key := range kafka.SortedKeys(config) {
		out[key] = config[key]
		if !IsPassword(key) {
			continue
		}
		found = true
		if password, err := p.Decode(config[key]); err == nil {
			if out[key], err = with.Encode(password); err != nil {
				return nil, false, err
			}
		}
	}
	return out, found, nil
}
