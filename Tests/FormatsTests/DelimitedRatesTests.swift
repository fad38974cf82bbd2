import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Tables that signals of several rates were put into, with empty cells between the values of the slower ones.
struct DelimitedRatesTests {
    private static func bvp(_ row: Int) -> Float { Float(row % 17) / 16 }
    private static func eda(_ row: Int) -> Float { 4 + Float(row / 16 % 33) / 32 }

    /// Rows of 64 a second, a value of skin conductance and temperature in each 16th from `phase` on.
    private static func table(
        rows: Range<Int>, phase: Int = 0, missing: Set<Int> = [], empty: String = "", more: [Int: String] = [:]
    ) -> String {
        rows.map { row in
            let isThere = (row - rows.lowerBound) % 16 == phase && !missing.contains(row)
            let slow = isThere ? "\(eda(row)),\(30 + Float(row) / 1_024)" : more[row] ?? "\(empty),\(empty)"
            return "\(Double(row) / 64),\(bvp(row)),\(slow)\n"
        }.joined()
    }

    private func read(_ text: String, rowsPerBlock: Int = 4_096) throws -> Recording {
        let folder = try TemporaryFolder()
        let file = try folder.file("t.csv", "time,BVP,EDA [uS],temp [degC]\n" + text)
        return try Recording(reading: Delimited(file, map: ColumnMap(), rowsPerBlock: rowsPerBlock))
    }

    @Test(arguments: ["", "NaN", "n/a"], [7, 16, 100, 4_096])
    func `a column with a value in each 16th row is a stream of a 16th of the rate`(empty: String, block: Int) throws {
        let recording = try read(Self.table(rows: 0..<6_400, phase: 3, empty: empty), rowsPerBlock: block)
        #expect(recording.streams.map(\.header.kind) == [.bvp, .eda, .temperature])
        #expect(recording.streams.map(\.header.sampleRate) == [64, 4, 4])
        #expect(recording.streams[0].segments[0].block.samples == (0..<6_400).map(Self.bvp))
        let slow = recording.streams[1]
        #expect(
            slow.segments.count == 1
                && slow.segments[0].start == SegmentStart(onset: 3 / 64.0, sample: 0, sampleRate: 4))
        #expect(slow.segments[0].block.samples == stride(from: 3, to: 6_400, by: 16).map(Self.eda))
        #expect(recording.header.duration == 100 && recording.header.notes.count == 2)
        #expect(recording.header.notes[0].contains("one of 16 rows of \"EDA [uS]\""))
    }

    @Test func `a value that is missing among them is missing`() throws {
        let recording = try read(Self.table(rows: 0..<3_200, missing: [160, 3_184]))
        let samples = try #require(recording.streams[1].segments.first).block.samples
        #expect(samples.count == 200 && samples.indices.filter { samples[$0].isNaN } == [10, 199])
        #expect(recording.streams[2].segments[0].block.samples.count == 200)
    }

    @Test(arguments: [50, 4_096])
    func `after a gap they begin where the next value stands`(block: Int) throws {
        let text = Self.table(rows: 0..<1_600) + Self.table(rows: 3_200..<4_800, phase: 5)
        let recording = try read(text, rowsPerBlock: block)
        let slow = recording.streams[1]
        #expect(
            slow.segments.map(\.start.onset) == [0, 50 + 5 / 64.0] && slow.segments.map(\.start.sample) == [0, 100])
        #expect(slow.segments.map(\.block.frameCount) == [100, 100])
        #expect(slow.gaps.map(\.onset) == [25] && abs(slow.gaps[0].duration - 25 - 5 / 64.0) < 1e-9)
        #expect(recording.streams[0].segments.map(\.start.onset) == [0, 50])
    }

    @Test func `where one value stands elsewhere none is lost`() throws {
        let recording = try read(Self.table(rows: 0..<3_200, more: [2_001: "9,"]))
        // Temperature keeps to its rows.
        #expect(recording.streams.map(\.header.sampleRate) == [64, 64, 4] && recording.header.notes.count == 1)
        #expect(recording.streams[1].segments[0].block.samples[2_001] == 9)
        #expect(recording.streams[1].segments[0].block.samples.count { !$0.isNaN } == 201)
    }

    @Test func `what is dense, or has values now and then, stays as it is`() throws {
        for more in [[:], [5: "4,30", 900: "4,30", 1_700: "4,30"]] {
            let recording = try read(Self.table(rows: 0..<3_200, missing: Set(0..<3_200), more: more))
            #expect(recording.streams.allSatisfy { $0.header.sampleRate == 64 })
        }
    }
}
