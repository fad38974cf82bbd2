import Signals
import Testing

struct DistinctNamesTests {
    @Test func aNameThatWasGivenGetsTheNextFreeNumber() {
        var names = DistinctNames<String>()
        #expect(["EEG", "EEG", "EEG_2", "EEG"].map { names.next($0) } == ["EEG", "EEG_2", "EEG_2_2", "EEG_3"])
    }

    @Test func whatIsTakenIsNotGiven() {
        var names = DistinctNames(taken: ["polar", "polar-2"])
        #expect(names.next("polar", separator: "-") == "polar-3")
    }

    @Test func aNameIsSpelledWithItsNumberAsWhoeverAsksSpellsIt() {
        var names = DistinctNames<String>()
        let labels = (0..<12).map { _ in
            names.next { number in
                let suffix = number.map(String.init) ?? ""
                return String("respiration".prefix(4 - suffix.count)) + suffix
            }
        }
        #expect(labels == ["resp"] + (2...9).map { "res\($0)" } + (10...12).map { "re\($0)" })
    }
}
