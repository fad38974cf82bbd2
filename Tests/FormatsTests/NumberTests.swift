import Formats
import Foundation
import TestSupport
import Testing

@Suite struct NumberTests {
    @Test func readsAsTheCLibraryDoes() throws {
        var random = SplitMix64(seed: 7)
        for trial in 0..<60_000 {
            let digits = Int.random(in: 1...24, using: &random)
            var text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let mark = Int.random(in: 0...digits, using: &random)
            text.insert(".", at: text.index(text.startIndex, offsetBy: mark))
            if trial % 4 == 0 { text += "e\(Int.random(in: -330...310, using: &random))" }
            if trial % 5 == 0 { text = "-" + text }
            let value = try #require(NumberParsing.double(text))
            #expect(value.bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }

    @Test func readsEveryPrintedDouble() {
        var random = SplitMix64(seed: 8)
        for _ in 0..<60_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { #expect(NumberParsing.double("\(value)") == value) }
        }
    }

    @Test(arguments: ["", " ", "-", ".", "e5", "1e", "1.2.3", "12x", "0x10", "1 2", "--1", "n/a", "infinite"])
    func refusesWhatIsNoNumber(_ text: String) {
        #expect(NumberParsing.double(text) == nil)
    }

    @Test func readsBlanksAndDecimalComma() {
        #expect(NumberParsing.double(" \t-1.5\r") == -1.5)
        #expect(NumberParsing.double("0,75", mark: UInt8(ascii: ",")) == 0.75)
        #expect(NumberParsing.double("NaN")?.isNaN == true)
        #expect(NumberParsing.double("1e999999999999") == .infinity)
    }

    @Test func writesAsTheCLibraryDoes() {
        var random = SplitMix64(seed: 9)
        for trial in 0..<60_000 {
            let value =
                switch trial % 3 {
                case 0: Double(bitPattern: random.next())
                case 1:
                    Double.random(in: -2...2, using: &random)
                        * pow(10, Double(Int.random(in: -16...24, using: &random)))
                default: Double(Int.random(in: 0...1_000_000_000_000, using: &random)) / 1000
                }
            if value.isFinite { #expect(NumberFormatting.text(value) == String(format: "%.9g", value)) }
        }
        for value in [999_999_999.4, 999_999_999.5, 99_999_999.96, 0.0001, 0.00009999999999, 1e9, 1e-5, -0.0] {
            let expected = value == 0 ? "0" : String(format: "%.9g", value)
            #expect(NumberFormatting.text(value) == expected)
        }
    }

    @Test func writesWhatLiesHalfWayAsTheCLibraryDoes() {
        var random = SplitMix64(seed: 10)
        for _ in 0..<20_000 {
            let part =
                Double(Int.random(in: 1..<1 << 24, using: &random))
                / Double(1 << Int.random(in: 1...30, using: &random))
            for value in [part, -part, part * 1e6] {
                #expect(NumberFormatting.text(value) == String(format: "%.9g", value))
            }
        }
        for value in [0.9970703125, 0.9990234375, 12_345_678.25, 123_456_789.5, 123_456_788.5, 999_999_999.5] {
            #expect(NumberFormatting.text(value) == String(format: "%.9g", value))
        }
    }

    @Test func writesOnsetsOnTheirGrid() {
        #expect(NumberFormatting.onset(12.3456) == "12.3456")
        #expect(NumberFormatting.onset(100.5) == "100.5")
        #expect(NumberFormatting.onset(-0.00001) == "0")
        #expect(NumberFormatting.onset(-2.05) == "-2.05")
        #expect(NumberFormatting.onset(.nan) == "n/a")
        var random = SplitMix64(seed: 10)
        for _ in 0..<20_000 {
            let onset = (Double.random(in: 0...300_000, using: &random) * 10_000).rounded() / 10_000
            #expect(NumberParsing.double(NumberFormatting.onset(onset)) == onset)
        }
    }
}
