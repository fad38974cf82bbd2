import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Text files of the OpenBCI GUI, with rows as its versions write them.
struct OpenBCITests {
    /// What a file of version 5 or later holds.
    struct Session {
        var board = "CytonSerial"
        var count = 8
        var rate = 250
        var rows = 1_000
        /// The number of a sample, counted from the start of the board.
        var number: @Sendable (Int) -> Int = { $0 % 256 }
        /// Samples that are missing.
        var lost: [Range<Int>] = []
        /// Seconds by which the computer's clock is later from a sample on.
        var late: @Sendable (Int) -> Double = { _ in 0 }
        var markers: [Int: Int] = [:]
    }

    static func lines(_ session: Session) -> [String] {
        let pins = session.board.hasPrefix("Cyton")
        var names = ["Sample Index"] + (0..<session.count).map { "EXG Channel \($0)" }
        names += (0..<3).map { "Accel Channel \($0)" }
        names +=
            pins ? ["Not Used", "Digital Channel 0 (D11)", "Analog Channel 0"] : Array(repeating: "Other", count: 3)
        names += ["Timestamp", "Marker Channel", "Timestamp (Formatted)"]
        let comments = [
            "%OpenBCI Raw EXG Data", "%Number of channels = \(session.count)", "%Sample Rate = \(session.rate) Hz",
            "%Board = OpenBCI_GUI$Board\(session.board)", names.joined(separator: ", "),
        ]
        return comments
            + (0..<session.rows).compactMap { sample in
                guard !session.lost.contains(where: { $0.contains(sample) }) else { return nil }
                var cells = ["\(Double(session.number(sample)))"]
                cells += (0..<session.count).map { "\(-12_000 * $0).\(1_000 + sample % 9_000)" }
                cells += ["0.04", "0.42", "0.\(800 + sample % 100)", "192.0", "0.0", "0.0"]
                // Packets of five arrive together.
                let arrival = Double(sample / 5 * 5) / Double(session.rate) + session.late(sample)
                let stamp = String(format: "%.12fE9", (1_700_000_000 + arrival) / 1e9)
                cells += [stamp, "\(Double(session.markers[sample] ?? 0))", "2023-11-14 22:13:20.000"]
                return cells.joined(separator: ", ")
            }
    }

    private func recording(_ lines: [String], _ folder: TemporaryFolder) throws -> Recording {
        try Recording(reading: RecordingFile.open(folder.file("a.txt", lines.joined(separator: "\n") + "\n")))
    }

    private func recording(_ session: Session) throws -> Recording {
        try recording(Self.lines(session), TemporaryFolder())
    }

    private func expect(
        _ gaps: [Gap], at lost: [Range<Int>], rate: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(gaps.count == lost.count, sourceLocation: sourceLocation)
        for (gap, range) in zip(gaps, lost) {
            #expect(
                abs(gap.onset - Double(range.lowerBound) / Double(rate)) < 1e-6
                    && abs(gap.duration - Double(range.count) / Double(rate)) < 1e-6,
                "\(gap) for \(range)", sourceLocation: sourceLocation)
        }
    }

    @Test func `channels are EEG in microvolts at the stated rate, the rest is what it is called`() throws {
        let found = try recording(Session(markers: [250: 3, 500: 3, 600: 12]))
        #expect(found.header.format == "OpenBCI")
        #expect(abs((found.header.start?.secondsSince1970 ?? 0) - 1_700_000_000) < 1e-3)
        #expect(found.streams.map(\.header.kind) == [.eeg, .acceleration])
        let eeg = found.streams[0]
        #expect(eeg.header.sampleRate == 250 && eeg.header.channels.count == 8 && eeg.gaps.isEmpty)
        #expect(eeg.header.channels[2].label == "EXG Channel 2" && eeg.header.channels[2].unit == .microvolts)
        #expect(eeg.segments[0].block.channel(2)[7] == -24_000.1007)
        #expect(found.streams[1].header.channels[0].unit == .g)
        #expect(
            found.markers == [
                Marker(onset: 1, label: "3"), Marker(onset: 2, label: "3"), Marker(onset: 2.4, label: "12"),
            ])
        #expect(found.header.duration == 4)
    }

    /// Boards, their rates and how they number samples.
    @Test(arguments: [
        ("CytonSerial", 8, 250, 0), ("CytonSerialDaisy", 16, 125, 1), ("CytonWifiDaisy", 16, 125, 2),
        ("GanglionNative", 4, 200, 3), ("GanglionNative", 4, 200, 4), ("GanglionWifi", 4, 200, 5),
        ("GanglionBLE", 4, 200, 6),
    ])
    func `sample numbers tell what was lost, however a board counts`(
        board: String, count: Int, rate: Int, way: Int
    ) throws {
        @Sendable func number(_ sample: Int) -> Int {
            switch way {
            case 0: sample % 256
            case 1: sample * 2 % 256 + 1
            case 2: sample * 2 % 256
            // One 0, then every number to 100 twice.
            case 3: (sample % 201 + 1) / 2
            case 4: sample % 200 / 2
            case 5: sample % 201
            default: sample % 201 == 0 ? 0 : (sample % 201 + 1) / 2 + 100
            }
        }
        // Packets of a Ganglion hold two samples, the first but for a single 0.
        let lost = [3, 6].contains(way) ? [300..<302, 451..<491, 901..<903] : [300..<302, 450..<490, 900..<902]
        let session = Session(
            board: board, count: count, rate: rate, rows: 1_200, number: { number($0) }, lost: lost, markers: [700: 7])
        let found = try recording(session)
        for stream in found.streams { expect(stream.gaps, at: lost, rate: rate) }
        #expect(found.streams[0].gaps.allSatisfy { $0.reason == .deviceLost })
        #expect(found.markers.count == 1 && abs(found.markers[0].onset - 700 / Double(rate)) < 1e-9)
        #expect(found.header.notes.contains("by the sample numbers 44 samples got lost at 3 places"))
        #expect(abs((found.header.duration ?? 0) - 1_200 / Double(rate)) < 1e-9)
    }

    /// The time of the packet before may stand beside the first rows after a loss.
    @Test(arguments: [0, 3]) func `arrivals tell losses of whole rounds of numbers`(held: Int) throws {
        let lost = [2_000..<2_256, 5_000..<5_527]
        let found = try recording(
            Session(rows: 9_000, lost: lost, late: { (5_527..<5_527 + held).contains($0) ? -2.1 : 0 }))
        expect(found.streams[0].gaps, at: lost, rate: 250)
        #expect(found.header.notes.contains("by the sample numbers 15 samples got lost at 1 place"))
        #expect(found.header.notes.contains { $0.contains("another 768 samples") })
    }

    /// From a sample on nothing arrives for 3 s, and then all at once; the last one is near the end.
    @Test(arguments: [3_000, 8_500]) func `packets that were held up are no loss`(first: Int) throws {
        let found = try recording(
            Session(rows: 9_000, late: { (first..<first + 750).contains($0) ? Double(first + 750 - $0) / 250 : 0 }))
        #expect(found.streams[0].gaps.isEmpty && found.header.duration == 36)
    }

    @Test(arguments: [0.35, -0.35]) func `numbers are surer than a link that gets faster or slower`(late: Double) throws
    {
        let lost = [5_000..<5_100, 7_000..<7_040]
        let found = try recording(Session(rows: 12_000, lost: lost, late: { $0 < 5_050 ? late : 0 }))
        expect(found.streams[0].gaps, at: lost, rate: 250)
    }

    @Test func `a board that was stopped numbers from 0 again after a gap as long as arrivals say`() throws {
        // 4,000 samples, a pause of 20 s in which the board counts nothing, 4,000 samples.
        let found = try recording(
            Session(rows: 8_000, number: { ($0 < 4_000 ? $0 : $0 - 4_000) % 256 }, late: { $0 < 4_000 ? 0 : 20 }))
        let gaps = found.streams[0].gaps
        #expect(gaps.count == 1 && abs(gaps[0].onset - 16) < 1e-6 && abs(gaps[0].duration - 20) < 0.05)
    }

    @Test func `a computer's clock that is set is no gap`() throws {
        let found = try recording(Session(rows: 9_000, late: { $0 < 4_000 ? 0 : 3_600.5 }))
        #expect(found.streams[0].gaps.isEmpty)
    }

    @Test(arguments: ["1e300", "-1e300", "nan", "", "inf", "1e11"])
    func `times that cannot be tell nothing`(stamp: String) throws {
        var lines = Self.lines(Session(rows: 9_000))
        for row in 5_000..<lines.count {
            var cells = lines[row].split(separator: ", ", omittingEmptySubsequences: false).map(String.init)
            cells[15] = stamp
            lines[row] = cells.joined(separator: ", ")
        }
        let found = try recording(lines, TemporaryFolder())
        #expect(found.streams[0].gaps.isEmpty && found.header.duration == 36)
    }

    @Test func `another rate of arrival is told`() throws {
        let found = try recording(Session(rows: 20_000, late: { Double($0) / 250 * 0.02 }))
        #expect(found.streams[0].gaps.isEmpty && found.streams[0].header.sampleRate == 250)
        #expect(found.header.notes.contains { $0.contains("rows arrived at 245.") })
    }

    /// Files of versions before 5, which have no names of columns.
    @Test(arguments: [
        (["%", "%First Column = SampleIndex"], "", 0.0),
        (["%Number of channels = 8", "%First Column = SampleIndex", "%Last Column = Timestamp "], ", 23:59:59.990", 0),
        (
            ["%Number of channels = 8", "%First Column = SampleIndex", "%Last Column = Timestamp "],
            ", 12:00:53.329, 1557936053329", 1_557_936_053.329
        ),
    ])
    func `files without names are read by what the comments say`(comments: [String], tail: String, start: Double) throws
    {
        let rows = (0..<600).map { row in
            let axes = row % 10 == 0 ? "-0.026, 0.468, -0.062" : "0.000, 0.000, 0.000"
            return "\(row % 256), " + (0..<8).map { "\($0 * 1_000 + row % 7).25" }.joined(separator: ", ")
                + ", \(axes)\(tail)"
        }
        let about = ["%OpenBCI Raw EEG Data"] + comments + ["%Sample Rate = 250.0 Hz"]
        let found = try recording(about + rows, TemporaryFolder())
        #expect(found.streams.map(\.header.kind) == [.eeg, .acceleration])
        #expect(found.streams[0].header.channels.count == 8 && found.streams[0].gaps.isEmpty)
        #expect(found.streams[0].segments[0].block.channel(7)[8] == 7_001.25)
        // Between the values that were measured the last one stands.
        #expect(found.streams[1].segments[0].block.channel(1).allSatisfy { $0 == 0.468 })
        #expect(found.header.start?.secondsSince1970 == (start > 0 ? start : nil))
        #expect(found.header.duration == 2.4)
    }

    @Test func `an accelerometer that falls silent is missing, and one that is off is left out`() throws {
        var lines = Self.lines(Session())
        for row in 505..<1_005 { lines[row] = lines[row].replacing(/0\.04, 0\.42, 0\.\d+/, with: "0.0, 0.0, 0.0") }
        let axis = try recording(lines, TemporaryFolder()).streams[1].segments[0].block.channel(1)
        #expect(axis[561] == 0.42 && axis[563...].allSatisfy(\.isNaN))
        let off = lines.map { $0.replacing(/0\.04, 0\.42, 0\.\d+/, with: "0.0, 0.0, 0.0") }
        let found = try recording(off, TemporaryFolder())
        #expect(found.streams.map(\.header.kind) == [.eeg, .other])
        #expect(found.streams[1].header.channels.map(\.label) == ["Digital Channel 0 (D11)", "Analog Channel 0"])
    }

    @Test func `numbers that do not count are told, and what cannot be is refused`() throws {
        let still = try recording(Session(number: { _ in 0 }))
        #expect(still.streams[0].gaps.isEmpty && still.header.notes.contains { $0.contains("do not count") })
        let folder = try TemporaryFolder()
        let lines = Self.lines(Session())
        func refusal(_ change: (inout [String]) -> Void) throws -> String? {
            var lines = lines
            change(&lines)
            let url = try folder.file("b.txt", lines.joined(separator: "\n") + "\n")
            return formatError { try Recording(reading: RecordingFile.open(url)) }
        }
        #expect(try refusal { $0[2] = "%Sample Rate = fast" }?.contains("%Sample Rate") == true)
        #expect(
            try refusal { $0[4] = $0[4].replacing("EXG", with: "Foo") }?.contains("no columns \"EXG Channel\"") == true)
        #expect(try refusal { $0[300] = $0[300].replacing(".1", with: "x1") }?.contains("line 301") == true)
    }
}
