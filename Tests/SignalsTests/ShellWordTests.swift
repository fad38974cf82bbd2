import Foundation
import Signals
import Testing

struct ShellWordTests {
    @Test(arguments: [
        "plain", "a/b-c_1.0:d=e+f,g", "", "my study", "it's", "'", "a\"b", "$HOME", "`id`", "~", "a;b", "*", "a\\b",
        "ä", "a\nb",
    ])
    func aShellGetsTheVeryWord(word: String) throws {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "printf '%s|' \(ShellWord.quoted(word))"]
        process.standardOutput = pipe
        try process.run()
        let output = try #require(try pipe.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        #expect(String(decoding: output, as: UTF8.self) == word + "|")
    }

    @Test func whatNeedsNoQuotesHasNone() {
        #expect(ShellWord.quoted("/data/study-1/sub-01.edf") == "/data/study-1/sub-01.edf")
        #expect(ShellWord.quoted("my study") == "'my study'")
    }
}
