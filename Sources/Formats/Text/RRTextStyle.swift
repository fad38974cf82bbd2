import Foundation

extension RRTextTable {
    /// How the numbers of a line are kept apart, and how their decimals are marked.
    struct Style {
        var delimiter: Character?
        var mark = UInt8(ascii: ".")

        /// The cells of a line; nil delimiter means any number of blanks.
        func cells(_ line: Substring) -> [Substring] {
            if delimiter == nil, line.utf8.allSatisfy({ $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }) { return [line] }
            let cells =
                delimiter.map { line.split(separator: $0, omittingEmptySubsequences: false).map(RRTextLines.trim) }
                ?? line.split { $0 == " " || $0 == "\t" }
            return cells.map { $0.count > 1 && $0.first == "\"" && $0.last == "\"" ? $0.dropFirst().dropLast() : $0 }
        }

        /// A number, NaN for a missing cell, nil for anything else.
        func number(_ cell: Substring) -> Double? {
            if cell.isEmpty { return .nan }
            if let value = NumberParsing.double(cell, mark: mark) { return value }
            return ["n/a", "na", "null"].contains(cell.lowercased()) ? .nan : clock(cell)
        }

        /// `h:mm:ss` or `mm:ss` as seconds.
        private func clock(_ cell: Substring) -> Double? {
            let parts = cell.split(separator: ":", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count) else { return nil }
            return parts.reduce(0) { sum, part -> Double? in
                guard let sum, let value = NumberParsing.double(part, mark: mark), value >= 0 else { return nil }
                return sum * 60 + value
            }
        }
    }
}

extension RRTextTable.Style {
    /// The style of a file with these lines of numbers, below this heading if there is one.
    init(of data: ArraySlice<(number: Int, text: Substring)>, below heading: Substring? = nil) {
        let sample = data.prefix(1000).map(\.text)
        let hasStop = sample.contains { $0.contains(".") }
        let comma = UInt8(ascii: ",")
        for delimiter in ["\t", ";"] as [Character] where sample.contains(where: { $0.contains(delimiter) }) {
            self.init(delimiter: delimiter, mark: hasStop ? UInt8(ascii: ".") : comma)
            return
        }
        if !sample.contains(where: { $0.contains(",") }) {
            self.init()
        } else if hasStop || sample.contains(where: { $0.contains(", ") }) || sample.allSatisfy(Self.beginsWithMoment) {
            self.init(delimiter: ",")
        } else if sample.allSatisfy({ $0.contains(" ") }) || Self.hasDecimalComma(sample, below: heading) {
            self.init(mark: comma)
        } else {
            self.init(delimiter: ",")
        }
    }

    /// True where what stands before the first comma is a date with a time, and what stands behind it a number, so that the
    /// blank in the date divides nothing.
    private static func beginsWithMoment(_ line: Substring) -> Bool {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        guard cells.count > 1, cells[0].contains(" "), DelimitedTime.isMoment(cells[0]) else { return false }
        return cells[1].isEmpty || Self().number(RRTextLines.trim(cells[1])) != nil
    }

    /// Whether `0,719` means 0.719 and not the two numbers 0 and 719: as intervals they lie in range, and neither the
    /// heading nor the whole numbers speak for two columns.
    private static func hasDecimalComma(_ sample: [Substring], below heading: Substring?) -> Bool {
        let parts = sample.map { $0.split(separator: ",") }
        guard parts.allSatisfy({ $0.count <= 2 }) else { return false }
        let decimals = sample.compactMap { NumberParsing.double($0, mark: UInt8(ascii: ",")) }
        guard decimals.count == sample.count, RRUnit(median: decimals.upperMedian) != nil else { return false }
        let columns = (0..<2).map { column in
            parts.compactMap { $0.indices.contains(column) ? NumberParsing.double($0[column]) : nil }
        }
        return !hasTwoNames(heading, above: columns) && !areTwoColumns(columns, of: sample.count)
    }

    /// Whether the heading has one name for what stands before the commas and one for what stands behind them, and where
    /// it calls one of them intervals, these are whole milliseconds.
    private static func hasTwoNames(_ heading: Substring?, above columns: [[Double]]) -> Bool {
        guard let names = heading.map(Self(delimiter: ",").cells), names.count == 2,
            !names.contains(where: RRTextTable.isSentence)
        else { return false }
        guard let intervals = RRColumns.named(names.map(String.init))?.intervals else { return false }
        return isMilliseconds(columns[intervals])
    }

    /// Whether whole numbers before and behind the commas are of two kinds: what stands before rises as times do, or is
    /// an interval beside which stands a time, its heart rate or a mark.
    private static func areTwoColumns(_ columns: [[Double]], of count: Int) -> Bool {
        func rises(_ values: [Double]) -> Bool {
            values.count > 1 && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
        }
        if rises(columns[0]) { return true }
        guard columns[1].count == count, isMilliseconds(columns[0]) else { return false }
        let isRate = zip(columns[0], columns[1]).allSatisfy { abs(60_000 / $0 - $1) <= 1 }
        let isMark = count >= 8 && columns[1].allSatisfy { $0 == 0 || $0 == 1 }
        return isRate || isMark || count > 2 && rises(columns[1])
    }

    private static func isMilliseconds(_ values: [Double]) -> Bool {
        !values.isEmpty && RRUnit(median: values.upperMedian) == .milliseconds
    }
}
