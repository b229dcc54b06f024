// Package browser drives the built site in Chromium. Its tests need `npm ci` in site/ and a Chromium; `make test` sees to both.
//
// Lesson 10 is also played in Debian's Firefox ESR and in WebKitGTK, from its first stop to its last, with the core
// answering at the end (browsers_test.go). What differs there from Chromium, as seen:
//
//   - Both run the pages under the same policy, Trusted Types included, without a violation; layout, motion by
//     Element.animate, light-dark() and :has() are there.
//   - Neither reports tasks over 50 ms (the Long Tasks API), so the page's speed is measured in Chromium alone.
//   - None of the three offers navigator.share on Linux; sharing is by link, file and clipboard.
//   - WebKitGTK's small browser opens a window 1024 wide whatever it is told, so it shows the narrow layout, where a question
//     opens over the stage.
package browser
