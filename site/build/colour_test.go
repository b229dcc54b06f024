package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rgb is a colour, each part from 0 to 1, as sRGB encodes it.
type rgb [3]float64

// themes reads the colours of css/tokens.css: by theme, then by name.
func themes(t *testing.T) map[string]map[string]rgb {
	t.Helper()
	css, err := os.ReadFile(filepath.Join("..", "css", "tokens.css"))
	require.NoError(t, err)
	out := map[string]map[string]rgb{"light": {}, "dark": {}}
	both := regexp.MustCompile(`--(\w+): light-dark\((#[0-9A-F]{6}), (#[0-9A-F]{6})\)`)
	for _, m := range both.FindAllStringSubmatch(string(css), -1) {
		out["light"][m[1]], out["dark"][m[1]] = colour(t, m[2]), colour(t, m[3])
	}
	one := regexp.MustCompile(`--(\w+): (#[0-9A-F]{6});`)
	for _, m := range one.FindAllStringSubmatch(string(css), -1) {
		out["light"][m[1]], out["dark"][m[1]] = colour(t, m[2]), colour(t, m[2])
	}
	require.GreaterOrEqual(t, len(out["light"]), 40, "19 tokens, and 7 states with fill, ink and line")
	return out
}

func colour(t *testing.T, text string) rgb {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	require.NoError(t, err)
	return rgb{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255}
}

// linear undoes the encoding of sRGB.
func (c rgb) linear() rgb {
	for i, v := range c {
		if v <= 0.04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

// contrast is WCAG's ratio of two colours.
func contrast(a, b rgb) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c rgb) float64 {
	l := c.linear()
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

// sight is how a colour is seen: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
var sight = map[string][3][3]float64{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab is a colour in CIELAB (D65) as an eye sees it.
func lab(c rgb, eye [3][3]float64) [3]float64 {
	l := c.linear()
	var s rgb
	for i := range 3 {
		s[i] = min(1, max(0, eye[i][0]*l[0]+eye[i][1]*l[1]+eye[i][2]*l[2]))
	}
	x := (0.4124564*s[0] + 0.3575761*s[1] + 0.1804375*s[2]) / 0.95047
	y := 0.2126729*s[0] + 0.7151522*s[1] + 0.0721750*s[2]
	z := (0.0193339*s[0] + 0.1191920*s[1] + 0.9503041*s[2]) / 1.08883
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	return [3]float64{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

// ciede2000 is the difference of two colours in CIELAB, after Sharma, Wu and Dalal 2005.
func ciede2000(a, b [3]float64) float64 {
	const deg = math.Pi / 180
	pow7 := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 0.5 * (1 - pow7((math.Hypot(a[1], a[2])+math.Hypot(b[1], b[2]))/2))
	a1, b1 := a[1]*(1+g), b[1]*(1+g)
	ca, cb := math.Hypot(a1, a[2]), math.Hypot(b1, b[2])
	hue := func(a, b float64) float64 {
		if a == 0 && b == 0 {
			return 0
		}
		return math.Mod(math.Atan2(b, a)/deg+360, 360)
	}
	ha, hb := hue(a1, a[2]), hue(b1, b[2])
	dh, mean := hb-ha, (ha+hb)/2
	switch {
	case ca*cb == 0:
		dh, mean = 0, ha+hb
	case dh > 180:
		dh, mean = dh-360, mean+180
	case dh < -180:
		dh, mean = dh+360, mean+180
	}
	l, c := (a[0]+b[0])/2, (ca+cb)/2
	t := 1 - 0.17*math.Cos((mean-30)*deg) + 0.24*math.Cos(2*mean*deg) + 0.32*math.Cos((3*mean+6)*deg) - 0.20*math.Cos((4*mean-63)*deg)
	sl := 1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	dl, dc := (b[0]-a[0])/sl, (cb-ca)/(1+0.045*c)
	dH := 2 * math.Sqrt(ca*cb) * math.Sin(dh/2*deg) / (1 + 0.015*c*t)
	turn := 30 * math.Exp(-math.Pow((math.Mod(mean, 360)-275)/25, 2))
	rt := -math.Sin(2*turn*deg) * 2 * pow7(c)
	return math.Sqrt(dl*dl + dc*dc + dH*dH + rt*dc*dH)
}

// TestCIEDE2000 compares with pairs of the paper's table of test data.
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		a, b [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, -1, 2}, [3]float64{50, 0, 0}, 2.3669},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, 1.2644},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		require.InDelta(t, c.want, ciede2000(c.a, c.b), 0.0001)
		require.InDelta(t, c.want, ciede2000(c.b, c.a), 0.0001)
	}
	require.InDelta(t, 21, contrast(rgb{0, 0, 0}, rgb{1, 1, 1}), 1e-9)
}

// states are the fills of partitions and replicas.
var states = []string{"NX", "NW", "ON", "OF", "DS", "DX", "DI"}

// TestContrasts: text has 4.5 on what it stands on, lines that mean something 3.
func TestContrasts(t *testing.T) {
	for theme, c := range themes(t) {
		for _, ground := range []string{"page", "surface", "raised", "sunk"} {
			for _, text := range []string{"ink", "muted", "accent", "now", "ok", "err"} {
				require.GreaterOrEqual(t, contrast(c[text], c[ground]), 4.5, "%s: %s on %s", theme, text, ground)
			}
			require.GreaterOrEqual(t, contrast(c["edge"], c[ground]), 3.0, "%s: edge on %s", theme, ground)
		}
		for tint, texts := range map[string][]string{"accentT": {"ink", "muted", "accent"}, "nowT": {"ink", "muted", "now"}, "okT": {"ink", "muted", "ok"}, "errT": {"ink", "muted", "err"}} {
			for _, text := range texts {
				require.GreaterOrEqual(t, contrast(c[text], c[tint]), 4.5, "%s: %s on %s", theme, text, tint)
			}
		}
		require.GreaterOrEqual(t, contrast(c["onaccent"], c["accent"]), 4.5, theme)
		require.GreaterOrEqual(t, contrast(c["onnow"], c["now"]), 4.5, theme)
		for _, s := range states {
			require.GreaterOrEqual(t, contrast(c[s+"i"], c[s]), 4.5, "%s: the ink of %s", theme, s)
			require.GreaterOrEqual(t, contrast(c[s+"l"], c["surface"]), 3.0, "%s: the line of %s", theme, s)
		}
	}
}

// TestStatesAreTold: any two fills differ by 17 at least, for every kind of sight.
func TestStatesAreTold(t *testing.T) {
	for theme, c := range themes(t) {
		for name, eye := range sight {
			least := math.Inf(1)
			for i, a := range states {
				for _, b := range states[:i] {
					least = min(least, ciede2000(lab(c[a], eye), lab(c[b], eye)))
					require.GreaterOrEqual(t, least, 17.0, "%s, %s: %s and %s", theme, name, a, b)
				}
			}
			t.Logf("%s, %s: the closest two differ by %.1f", theme, name, least)
		}
	}
}
