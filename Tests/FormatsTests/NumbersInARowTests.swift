import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Numbers that a table gives one after another, against the same given one by one.
struct NumbersInARowTests {
    private struct Rows: TableContent {
        let values: [[Double]]
        let isOneByOne: Bool

        var columns: [Column] {
            [Column("onset", unit: .seconds, "When.")]
                + (values.first ?? []).indices.map { Column("n\($0)", unit: .dimensionless, "How much.") }
        }
        var rowCount: Int { values.count }

        func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
            for row in rows {
                sink.onset(Double(row))
                if isOneByOne {
                    for value in values[row] { sink.number(value) }
                } else {
                    let own = values[row]
                    sink.numbers(own.span)
                }
                sink.endRow()
            }
        }
    }

    private static func value(_ random: inout SplitMix64) -> Double {
        let size = pow(10, Double(Int.random(in: -8...12, using: &random)))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return [0, -0.0, .nan, -.nan, .infinity, -.infinity, 1e9, 999_999_999.5, 1e-4][Int(random.next() % 9)]
        case 1: return Double(bitPattern: random.next())
        case 2: return Double(Int.random(in: -2_000...2_000, using: &random))
        case 3: return Double(Int.random(in: -20_000...20_000, using: &random)) / 1_024
        case 4: return Double(Float.random(in: -2...2, using: &random)) * size
        case 5: return size
        default: return Double.random(in: -2...2, using: &random) * size
        }
    }

    @Test(arguments: [1, 3, 4, 5, 19, 32, 33, 70])
    func areWrittenAndKeptAsEachByItself(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let values = (0..<400).map { _ in (0..<count).map { _ in Self.value(&random) } }
        try withTemporaryFolder { folder in
            let found = try [false, true].map { isOneByOne in
                let scratch = ScratchFolder(folder, hash: { Everything() }, keepsTable: { _ in true })
                let file = folder.appendingPathComponent("t.tsv")
                try scratch.fill { try TSV.write(Rows(values: values, isOneByOne: isOneByOne), to: file) }
                return (text: try Data(contentsOf: file), told: try #require(scratch.content("t.tsv")?.table))
            }
            #expect(found[0].text == found[1].text)
            let read = try TextTable(reading: folder.appendingPathComponent("t.tsv"))
            for column in 0..<count {
                let (one, other) = (try found[0].told.numbers("n\(column)"), try found[1].told.numbers("n\(column)"))
                #expect(one.map { $0.isNaN ? 0 : $0.bitPattern } == other.map { $0.isNaN ? 0 : $0.bitPattern })
                #expect(zip(one, try read.numbers("n\(column)")).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
            }
        }
    }

    private struct Everything: GrowingHash {
        mutating func add(_ more: UnsafeRawBufferPointer) {}
        func hexadecimal() -> String { "" }
    }
}
