import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// A sample rate that is stated besides a file's own times, and headers that are numbers.
struct DelimitedTimesTests {
    /// 250 samples a second, of which those from 1 to 2 s are missing.
    private static let gapped =
        "time,ecg [mV]\n"
        + (0..<750).filter { !(250..<500).contains($0) }.map { "\(Double($0) / 250),\($0 % 9)\n" }.joined()

    private func read(_ text: String, map: ColumnMap) throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: Delimited(folder.file("d.csv", text), map: map))
    }

    private func demandGap(_ recording: Recording, notedRate: String) throws {
        let stream = try #require(recording.streams.first)
        #expect(stream.header.sampleRate == 250 && stream.segments.map(\.block.frameCount) == [250, 250])
        #expect(stream.gaps.count == 1 && abs(stream.gaps[0].duration - 1) < 1e-6)
        #expect(recording.header.notes.contains { $0.contains("\(notedRate) Hz is not used") })
    }

    @Test func aRateThatTheFileStatesDoesNotReplaceTimes() throws {
        try demandGap(read("# sample rate: 1000\n" + Self.gapped, map: ColumnMap()), notedRate: "1000")
    }

    /// A rate that the user gives is used or refused.
    @Test(arguments: [20.0, 100, 240, 260, 500])
    func aRateThatTheUserGivesAgainstTheTimesIsRefused(rate: Double) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", Self.gapped)
        let timed = ColumnMap(sampleRate: rate, time: .init(column: "time", unit: .seconds))
        for open in [
            { try Recording(reading: RecordingFile.open(file, textRate: rate)) },
            { try Recording(reading: Delimited(file, map: timed)) },
        ] as [() throws -> Recording] {
            let message = formatError(open) ?? ""
            #expect(
                message.contains("stated sample rate of \(Int(rate)) Hz contradicts") && message.contains("250"),
                "\(message)")
        }
    }

    @Test(arguments: [249.0, 250, 250.5, 251])
    func aRateThatTheUserGivesNearTheTimesIsUsed(rate: Double) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", Self.gapped)
        let stream = try #require(Recording(reading: RecordingFile.open(file, textRate: rate)).streams.first)
        #expect(stream.header.sampleRate == rate && stream.segments.map(\.start.sampleRate) == [rate, rate])
        #expect(stream.segments.map(\.start.onset) == [0, 2] && stream.gaps.count == 1)
    }

    @Test func aStatedRateDoesNotHideTheFormat() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<256).map { "\(1_700_000_000 + Double($0) / 256),\($0 % 5),1,2,3,0\n" }.joined()
        let file = try folder.file("m.csv", "timestamps,TP9,AF7,AF8,TP10,Right AUX\n" + rows)
        let reader = try RecordingFile.open(file, textRate: 10)
        #expect(reader.header.format == "muse-lsl" && reader.header.notes.contains { $0.contains("10 Hz is not used") })
        let column = try folder.file("c.csv", "530\n518\n506\n")
        #expect(try RecordingFile.open(column, textRate: 4).header.streams.map(\.sampleRate) == [4])
        // A file that is called so holds intervals whatever is said.
        let intervals = try folder.file("c.rr", "800\n810\n805\n")
        #expect(try RecordingFile.open(intervals, textRate: 4).header.streams.map(\.kind) == [.ibi])
    }

    @Test func aStatedRateTellsTheUnitOfTimesThatDoNot() throws {
        let rows = (0..<300).filter { $0 < 100 || $0 >= 150 }.map { "\($0),\($0 % 7)\n" }.joined()
        for header in ["time", "time (samples)"] {
            let stream = try read("\(header),eda\n" + rows, map: ColumnMap(sampleRate: 4)).streams[0]
            #expect(stream.header.sampleRate == 4 && stream.segments.map(\.start.onset) == [0, 37.5], "\(header)")
        }
    }

    @Test func columnsWithARateAndNoTimeAreEvenAndSayWhatIsNotUsed() throws {
        let map = ColumnMap(sampleRate: 250, columns: [.init(column: "ecg [mV]")])
        let recording = try read(Self.gapped, map: map)
        #expect(recording.streams[0].segments.map(\.block.frameCount) == [500])
        #expect(recording.header.notes.contains { $0.contains("\"time\" is not used") })
    }

    @Test(arguments: [nil, 10.0]) func columnsMayBeCalledByNumbers(rate: Double?) throws {
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: 10),
            block: SampleBlock(channelCount: 3, samples: (0..<30).map { Float($0) * 0.5 }))
        let header = StreamHeader(
            name: "other", kind: .other, channels: ["1", "2", "3"].map { Channel(label: $0, unit: .unknown) },
            sampleRate: 10)
        let recording = Recording(
            header: RecordingHeader(format: "test"), streams: [Signals.Stream(header: header, segments: [segment])],
            markers: [])
        let folder = try TemporaryFolder()
        for (name, separator) in [("a.csv", ","), ("a.tsv", "\t")] as [(String, Character)] {
            let url = folder.url.appendingPathComponent(name)
            try CSVExport.write(RecordedEvents(recording), to: url, separator: separator)
            let reader = try rate.map { try RecordingFile.open(url, textRate: $0) } ?? RecordingFile.open(url)
            let back = try Recording(reading: reader)
            #expect(back.streams.map(\.header.channels) == [header.channels])
            #expect(back.streams[0].segments.map(\.block) == [segment.block])
        }
    }

    @Test func aHeaderOfNumbersAloneIsOneWhereItIsSaid() throws {
        let text = "1,2\n5,6\n7,8\n9,10\n"
        let stream = try read(text, map: ColumnMap(sampleRate: 4, hasHeader: true)).streams[0]
        #expect(stream.header.channels.map(\.label) == ["1", "2"])
        #expect(stream.segments[0].block.samples == [5, 7, 9, 6, 8, 10])
        #expect(try read(text, map: ColumnMap(sampleRate: 4)).streams[0].segments[0].block.frameCount == 4)
        let named = try read("a,b\n" + text, map: ColumnMap(sampleRate: 4, hasHeader: true)).streams[0]
        #expect(named.header.channels.map(\.label) == ["a", "b"] && named.segments[0].block.frameCount == 4)
    }

    @Test func aWordAmongTheFirstNumbersBelowAHeaderIsNoHeader() throws {
        let recording = try read("time,ecg,x\n0,1,ERR\n0.01,2,5\n0.02,3,6\n", map: ColumnMap())
        #expect(recording.streams.flatMap(\.header.channels).map(\.label) == ["ecg"])
        #expect(recording.streams[0].segments[0].block.samples == [1, 2, 3])
        #expect(recording.header.notes.contains { $0.contains("\"x\" holds text") })
    }

    /// Four rows a second, from `first` s on for `duration` s but for those from 20 to 30 s.
    private static func clocked(
        _ first: Int, _ duration: Int, name: String = "time [s]", perSecond: Double = 1
    ) -> String {
        let rows = (0..<4 * duration).filter { !(80..<120).contains($0) }.map { row in
            let time = (Double(first) + Double(row) / 4) * perSecond
            return "\(time),\(row % 9)\n"
        }
        return "\(name),eda [uS]\n" + rows.joined()
    }

    @Test(arguments: [("time [s]", 1.0), ("time [ms]", 1_000.0)])
    func aClockThatBeganSomewhereElseIsToldAndTakenOff(name: String, perSecond: Double) throws {
        let recording = try read(Self.clocked(150_000, 60, name: name, perSecond: perSecond), map: ColumnMap())
        let stream = try #require(recording.streams.first)
        #expect(recording.header.start == nil && recording.header.duration == 60)
        #expect(stream.header.sampleRate == 4 && stream.segments.map(\.start.onset) == [0, 30])
        #expect(stream.gaps.map(\.onset) == [20] && stream.gaps.map(\.duration) == [10])
        let notes = recording.header.notes
        #expect(notes.count == 1 && notes.contains { $0.contains("has no date and read 150000 s") })
    }

    @Test(arguments: [0, 1, 3, 60]) func timesThatBeginNoLaterThanTheyLastAreKept(first: Int) throws {
        let recording = try read(Self.clocked(first, 60), map: ColumnMap())
        #expect(recording.streams[0].segments.map(\.start.onset) == [Double(first), Double(first + 30)])
        #expect(recording.header.duration == Double(first + 60) && recording.header.notes.isEmpty)
    }

    @Test func timesNearZeroAreKeptHoweverShortTheFile() throws {
        let recording = try read("time [s],eda [uS]\n0.75,1\n0.80,2\n0.85,3\n", map: ColumnMap())
        #expect(recording.streams[0].segments.map(\.start.onset) == [0.75] && recording.header.notes.isEmpty)
    }

    @Test func aStartThatHasNoPlaceIsNoted() throws {
        let segment = Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: 4), block: SampleBlock([1, 2, 3]))
        let header = StreamHeader(
            name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4)
        let start = Timestamp(year: 2026, month: 3, day: 1, hour: 12)
        let recording = Recording(
            header: RecordingHeader(start: start, format: "test"),
            streams: [Signals.Stream(header: header, segments: [segment])], markers: [])
        let folder = try TemporaryFolder()
        let notes = try [
            CSVExport.write(
                RecordedEvents(recording), to: folder.url.appendingPathComponent("a.csv"), separator: ","),
            BIDSPhysioWriter.write(
                RecordedEvents(recording), to: folder.url.appendingPathComponent("sub-1_physio.tsv.gz")),
        ]
        for note in notes { #expect(note.count == 1 && note[0].contains("2026-03-01T12:00:00")) }
    }

    /// A headband's packets that are lost leave rows out, all over the file; the times of the others lie on a grid.
    @Test(arguments: [(256.0, 12, 150), (256, 12, 75), (4, 4, 37), (250, 25, 130)], [6, 3])
    func missingRowsOfAGridAreGapsHoweverMany(loss: (rate: Double, rows: Int, every: Int), digits: Int) throws {
        // Milliseconds do not hold the grid of 256 Hz.
        guard digits == 6 || loss.rate != 256 else { return }
        let count = Int(300 * loss.rate)
        let there = (0..<count).filter { $0 % loss.every < loss.every - loss.rows }
        let rows = there.map { "\(String(format: "%.\(digits)f", Double($0) / loss.rate)),\($0 % 97)" }
        let folder = try TemporaryFolder()
        let file = try folder.file("d.csv", (["time,EDA [uS]"] + rows).joined(separator: "\n"))
        let stream = try Recording(reading: RecordingFile.open(file)).streams[0]
        #expect(abs(stream.header.sampleRate / loss.rate - 1) < 1e-4)
        #expect(stream.segments.count == count / loss.every + (count % loss.every > 0 ? 1 : 0))
        for (number, segment) in stream.segments.enumerated() {
            #expect(abs(segment.start.onset - Double(number * loss.every) / loss.rate) < 0.002)
        }
    }
}
