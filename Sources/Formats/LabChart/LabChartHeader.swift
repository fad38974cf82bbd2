import Foundation
import Signals

/// The lines above a block of a text that LabChart exported, each a keyword, `=` and values between tabs (ADInstruments,
/// "How can channel titles, ranges, intervals, etc. for a text file be imported into LabChart?").
struct LabChartHeader {
    private(set) var interval: Seconds?
    /// When the block began, by the computer's clock.
    private(set) var date: Seconds?
    private var titles: [String] = []
    private var ranges: [String] = []
    private var unitNames: [String] = []
    /// What numbers are written with.
    private(set) var mark = UInt8(ascii: ".")

    /// The days from 1899-12-30, which spreadsheets count from, to 1970-01-01.
    private static let daysTo1970 = 25_569.0

    /// Whether a line is one of a header: text before an equals sign, which no row of samples has.
    static func isPart(_ line: some Collection<UInt8>) -> Bool {
        // A byte-order mark may stand before the first.
        let cell = line.drop { $0 >= 0x80 }.prefix { $0 != 0x09 && $0 != 0x20 }
        guard cell.count > 1, let end = cell.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return cell[..<end].allSatisfy { 0x41...0x5A ~= $0 & 0xDF }
    }

    /// Whether a file that begins with `head` has one.
    static func recognizes(_ head: [UInt8]) -> Bool {
        head.drop { $0 >= 0x80 }.starts(with: Array("Interval=".utf8))
    }

    /// Takes a line.
    /// - Throws: what is wrong with it.
    mutating func take(_ line: String) throws(Fault) {
        let line = line.drop { $0 == "\u{FEFF}" }
        let key = line.prefix { $0 != "=" }
        let values = line.dropFirst(key.count + 1).split(separator: "\t", omittingEmptySubsequences: false)
            .map { String(Self.unquoted(RRTextLines.trim($0))) }
        let cells = values.first?.isEmpty == true ? Array(values.dropFirst()) : values
        switch key.lowercased() {
        case "interval": try takeInterval(cells.first ?? "")
        case "exceldatetime":
            let days = cells.first.flatMap { NumberParsing.double($0.replacing(",", with: ".")) }
            // To the microsecond, which is what a number of days has.
            date = days.map { (($0 - Self.daysTo1970) * 86_400e6).rounded() / 1e6 }
                .flatMap { Plausible.moment($0)?.secondsSince1970 }
        case "channeltitle": titles = cells
        case "range": ranges = cells
        case "unitname": unitNames = cells
        default: break
        }
    }

    /// `0.001 s`.
    private mutating func takeInterval(_ text: String) throws(Fault) {
        if text.contains(",") { mark = UInt8(ascii: ",") }
        let words = text.split(separator: " ")
        guard words.count == 2, let value = NumberParsing.double(words[0], mark: mark), value > 0,
            let unit = DelimitedTime.unit(called: String(words[1])),
            Plausible.sampleRates.contains(unit.perSecond / value)
        else { throw .interval(text) }
        interval = value / unit.perSecond
    }

    /// What cannot be right.
    enum Fault: Error {
        case interval(String)
    }

    /// The channels, of which rows have `count`; units are those of the range, unless the user gave others.
    func channels(_ count: Int) -> [Channel] {
        (0..<count).map { place in
            let title = place < titles.count ? titles[place] : ""
            let own = place < unitNames.count ? unitNames[place] : ""
            let range = place < ranges.count ? ranges[place].split(separator: " ").dropFirst() : []
            return Channel(
                label: title.isEmpty ? "Channel \(place + 1)" : title,
                unit: Unit(["", "*"].contains(own) ? range.joined(separator: " ") : own))
        }
    }

    /// How many channels it names.
    var titleCount: Int { titles.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0 }

    private static func unquoted(_ text: Substring) -> Substring {
        text.count > 1 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
    }
}
