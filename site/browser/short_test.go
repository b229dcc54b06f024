package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/lessons"
)

// TestShortAddresses: the projector shows an address that can be typed; it leads to the stop in the language of who speaks,
// and a question that is open there is open for who comes.
func TestShortAddresses(t *testing.T) {
	for _, lang := range []string{"", "zh/"} {
		p := open(t, setting{})
		p.visit(lang + "lessons/10-bounce/")
		p.press("p", false)
		p.press("ArrowRight", false)
		p.press("ArrowRight", false)
		p.until("document.querySelector('.hall .where code')?.textContent.endsWith('/" + lang + "l/10/3') === true")
		require.Equal(t, eval[string](p, "location.host"), eval[string](p, "document.querySelector('.hall .where code').lastChild.data.split('/')[0]"))
		shown := eval[string](p, "document.querySelector('.hall .where code').lastChild.data.replace(location.host + '/', '')")
		require.True(t, eval[bool](p, "(e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)(document.querySelector('.hall'))"))
		p.clean()

		student := open(t, setting{width: 390, height: 844})
		student.load(shown[strings.Index(shown, lang+"l/"):])
		student.until("location.pathname.endsWith('/" + lang + "lessons/10-bounce/') && document.querySelector('.top .count b')?.textContent === '3'")
		student.load(lang + "l/10/8")
		student.until("location.pathname.endsWith('/" + lang + "lessons/10-bounce/') && document.querySelector('form.predict') !== null")
		student.clean()
	}
}

// TestEveryStopHasAShortAddress; none of them is kept for when there is no network, where nobody types any.
func TestEveryStopHasAShortAddress(t *testing.T) {
	all := htmlFiles(t)
	for _, name := range lessons.Names() {
		l, err := lessons.Embedded(name)
		require.NoError(t, err)
		number := strings.TrimLeft(name[:2], "0")
		for _, lang := range []string{"", "zh/"} {
			for i := range l.Stops() {
				path := fmt.Sprintf("%sl/%s/%d/", lang, number, i+1)
				require.Contains(t, all[path], fmt.Sprintf(`content="0; url=../../../lessons/%s/#s=%d"`, name, i+1), path)
			}
			require.NotContains(t, all, fmt.Sprintf("%sl/%s/%d/", lang, number, len(l.Stops())+1))
		}
	}
	var kept []string
	data, err := os.ReadFile(filepath.Join(shared.folder, "offline.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &kept))
	require.Contains(t, kept, "./lessons/10-bounce/")
	for _, file := range kept {
		require.NotContains(t, file, "/l/")
	}
}
