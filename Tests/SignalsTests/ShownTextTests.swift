import Signals
import Testing

struct ShownTextTests {
    @Test(arguments: [
        ("Fp1 µV – 好", "Fp1 µV – 好"), ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\tb\nc", "a\\tb\\nc"),
        ("\u{9B}31m", "\\u{009B}31m"),
        ("a\u{2028}b\u{7F}", "a\\u{2028}b\\u{7F}"), ("", ""),
    ])
    func whatATerminalWouldActOnIsSpelled(text: String, shown: String) {
        #expect(text.shown == shown)
        #expect(text.shown.shown == shown)
    }

    @Test func linesAndTabsStayInTextOfSeveralLines() {
        #expect("a\tb\n\u{1B}]0;x\u{07}c".shownLines == "a\tb\n\\u{1B}]0;x\\u{07}c")
    }
}
