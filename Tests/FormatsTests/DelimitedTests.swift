import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct DelimitedTests {
    private func read(_ text: String, map: ColumnMap = ColumnMap(), rowsPerBlock: Int = 4096) throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: Delimited(folder.file("d.csv", text), map: map, rowsPerBlock: rowsPerBlock))
    }

    @Test(arguments: [
        "time,ECG [mV],PPG\n0,1.5,7\n0.01,2.5,8\n0.02,,9\n", "time;ECG [mV];PPG\n0;1,5;7\n0,01;2,5;8\n0,02;;9\n",
        "time\tECG [mV]\tPPG\r\n0\t1.5\t7\r\n0.01\t2.5\t8\r\n0.02\tn/a\t9",
        "\"sep=;\"\ntime;ECG;PPG\ns;mV;\n0;1.5;7\n0.01;2.5;8\n0.02;NaN;9\n",
        "# Labels:= time,ECG [mV],PPG\n0,1.5,7\n0.01,2.5,8\n0.02,,9\n",
        "t (ms), ECG [mV], PPG\n0, 1.5, 7\n10, 2.5, 8\n20, , 9\n",
        "Timestamp,ECG [mV],PPG\n2026-03-01T12:30:05.25Z,1.5,7\n2026-03-01T12:30:05.26Z,2.5,8\n2026-03-01T12:30:05.27Z,,9\n",
        "time   ECG_mV   PPG\n0     1.5     7\n0.01  2.5     8\n0.02  nan     9\n",
        "note,time,\"ECG [mV]\",PPG\n\"a,b\",0,\"1.5\",7\n\"\",0.01,2.5,8\nc,0.02,,9\n",
    ])
    func formsOfTheSameTableGiveTheSameStreams(_ text: String) throws {
        let recording = try read(text)
        #expect(recording.streams.map(\.header.kind) == [.ecg, .bvp])
        let ecg = try #require(recording.streams.first)
        #expect(ecg.header.channels[0].unit == .millivolts)
        #expect(ecg.segments.count == 1)
        #expect(abs(ecg.header.sampleRate - 100) < 1e-6)
        let samples = ecg.segments[0].block.samples
        #expect(samples.count == 3 && samples[0] == 1.5 && samples[1] == 2.5 && samples[2].isNaN)
        #expect(recording.streams[1].segments[0].block.samples == [7, 8, 9])
        if text.hasPrefix("Timestamp") { #expect(recording.header.start?.description == "2026-03-01T12:30:05.250Z") }
    }

    @Test(arguments: [nil, ColumnMap.TimeUnit.iso8601])
    func timesOfDayGoOnAfterMidnight(unit: ColumnMap.TimeUnit?) throws {
        // Two days and a half at 20 rows an hour, 10 min of them missing across the second midnight.
        let seconds = (0..<1_200).map { 79_200 + 180 * $0 }.filter { !(172_500..<173_100).contains($0) }
        let text =
            "time,temp\n"
            + seconds.map { second in
                let day = second % 86_400
                return String(format: "%02d:%02d:%02d.250,36\n", day / 3_600, day / 60 % 60, day % 60)
            }.joined()
        let map = unit.map { ColumnMap(time: .init(column: "time", unit: $0)) } ?? ColumnMap()
        for rowsPerBlock in [5, 4096] {
            let recording = try read(text, map: map, rowsPerBlock: rowsPerBlock)
            let stream = try #require(recording.streams.first)
            #expect(recording.header.start == nil && abs(stream.header.sampleRate - 1 / 180.0) < 1e-9)
            try #require(stream.gaps.count == 1)
            #expect(stream.segments.map(\.start.onset).max() == Double(173_160 - 79_200))
        }
        #expect(
            formatError { try read("time,ecg\n10:00:02,1\n10:00:03,1\n10:00:04,1\n09:00:00,1\n", map: map) }?
                .contains("line 5, column time: the time goes back by") == true)
    }

    @Test(arguments: [",", ";", "\t"])
    func `decimal commas in quotation marks are read, whatever parts the cells`(delimiter: String) throws {
        var text = ["time", "ECG [mV]"].joined(separator: delimiter) + "\n"
        for row in 0..<500 {
            let cells = [Double(row) / 250, Double(row % 90) / 50].map {
                "\"" + String(format: "%.3f", $0).replacing(".", with: ",") + "\""
            }
            text += cells.joined(separator: delimiter) + "\n"
        }
        let stream = try #require(try read(text).streams.first)
        #expect(stream.header.sampleRate == 250 && stream.gaps.isEmpty)
        let samples = try #require(stream.segments.first).block.samples
        #expect(samples == (0..<500).map { Float($0 % 90) / 50 })
    }

    @Test func missingRowsAreGaps() throws {
        var text = "time,ecg\n"
        for row in 0..<600 where !(200..<230).contains(row) && row != 400 { text += "\(Double(row) / 250),\(row)\n" }
        for rowsPerBlock in [1, 7, 4096] {
            let stream = try read(text, rowsPerBlock: rowsPerBlock).streams[0]
            #expect(stream.header.sampleRate == 250)
            #expect(stream.segments.map(\.start.sample) == [0, 200, 370])
            #expect(stream.segments.map(\.block.frameCount) == [200, 170, 199])
            #expect(stream.segments[1].start.onset == 0.92)
            #expect(abs(stream.gaps[0].duration - 0.12) < 1e-9 && abs(stream.gaps[1].duration - 0.004) < 1e-9)
            #expect(stream.segments[1].block.samples.first == 230)
        }
    }

    @Test func roundedAndJitteringTimesAreNoGaps() throws {
        var random = SplitMix64(seed: 11)
        var rounded = "time,ecg\n"
        for row in 0..<30_000 { rounded += String(format: "%.4g,%d\n", Double(row) / 125, row) }
        let coarse = try read(rounded).streams[0]
        #expect(coarse.segments.count == 1 && coarse.header.sampleRate == 125)
        var jittering = "time [ms],ecg\n"
        for row in 0..<3000 {
            let late = row % 50 == 0 ? 30 : Int.random(in: 0...6, using: &random)
            jittering += "\(row * 20 + late),\(row)\n"
        }
        let jitter = try read(jittering).streams[0]
        #expect(jitter.segments.count == 1 && abs(jitter.header.sampleRate - 50) < 0.1)
    }

    /// Packets stamped by a clock that runs ahead within each and is set right with the next, as of muse-lsl.
    @Test func stampsThatWanderWithinPacketsAreNoGaps() throws {
        var random = SplitMix64(seed: 3)
        var (text, ahead, wander) = ("time [s],eeg\n", 0.0, 0.0)
        for row in 0..<20_000 {
            if row % Int.random(in: 84...108, using: &random) == 0 { (ahead, wander) = (0.013, -0.013 / 96) }
            ahead = max(-0.002, ahead + wander)
            text += String(format: "%.3f,%d\n", Double(row) / 256.02 + ahead, row % 100)
        }
        let stream = try read(text).streams[0]
        #expect(stream.segments.count == 1 && abs(stream.header.sampleRate - 256.02) < 0.03)
    }

    @Test func aGapAmongWanderingStampsIsStillOne() throws {
        var text = "time [s],eeg\n"
        for row in 0..<20_000 where !(9_000..<9_100).contains(row) {
            let ahead = 0.013 * (1 - Double(row % 96) / 96)
            text += String(format: "%.3f,%d\n", Double(row) / 256 + ahead, row % 100)
        }
        let stream = try read(text).streams[0]
        #expect(stream.segments.map(\.start.sample) == [0, 9_000])
        #expect(abs(stream.gaps[0].duration - 100 / 256) < 0.02)
    }

    /// Slow streams have times whose size alone could as well be milliseconds.
    @Test(arguments: [1.0, 0.1, 0.02]) func exportedTextIsReadInSeconds(rate: Double) throws {
        let header = StreamHeader(
            name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: rate)
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: rate),
            block: SampleBlock((0..<300).map { Float($0 % 7) }))
        let recording = Recording(
            header: RecordingHeader(format: "test"), streams: [Signals.Stream(header: header, segments: [segment])],
            markers: [Marker(onset: 1, label: "a")])
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.csv")
        let notes = try CSVExport.write(RecordedEvents(recording), to: url, separator: ",")
        #expect(notes.count == 1 && notes[0].hasPrefix("1 marker"))
        let back = try Recording(reading: RecordingFile.open(url))
        #expect(abs(back.streams[0].header.sampleRate - rate) < 1e-9 && back.streams[0].header.kind == .eda)
        #expect(back.streams[0].segments.map(\.block.samples) == [segment.block.samples])
    }

    @Test(arguments: [
        (StreamKind.ecg, "A2", Signals.Unit.millivolts), (.bvp, "CH1", .unknown), (.ecg, "ECG", .millivolts),
        (.eeg, "Fp1", .microvolts), (.acceleration, "x", .unknown),
    ])
    func exportedTextKeepsWhatASignalIs(kind: StreamKind, label: String, unit: Signals.Unit) throws {
        let header = StreamHeader(name: "a", kind: kind, channels: [Channel(label: label, unit: unit)], sampleRate: 100)
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: 100),
            block: SampleBlock((0..<300).map { Float($0 % 7) }))
        let recording = Recording(
            header: RecordingHeader(format: "test"), streams: [Signals.Stream(header: header, segments: [segment])])
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.csv")
        try CSVExport.write(RecordedEvents(recording), to: url, separator: ",")
        let back = try Recording(reading: RecordingFile.open(url)).streams[0].header
        #expect(back.kind == kind && back.channels[0].unit == unit)
    }

    @Test func olderSpreadsheetsUnitsAreUnderstood() throws {
        let folder = try TemporaryFolder()
        let text = Array("time [s];EDA (".utf8) + [0xB5] + Array("S)\n0;1.5\n0.25;1.6\n0.5;1.7\n".utf8)
        let stream = try Recording(reading: RecordingFile.open(folder.file("a.csv", text))).streams[0]
        #expect(stream.header.kind == .eda && stream.header.channels[0].unit == .microsiemens)
    }

    @Test func columnMapSaysWhatAHeaderDoesNot() throws {
        let map = ColumnMap(
            skipRows: 2, sampleRate: 125,
            columns: [.init(column: "3", kind: .ecg, unit: "mV", label: "chest"), .init(column: "1", kind: .bvp)])
        let recording = try read("junk 1 2\nmore, junk\n5,x,0.25\n6,y,0.5\n7,z,0.75\n", map: map)
        #expect(recording.streams[0].header.channels == [Channel(label: "chest", unit: .millivolts)])
        #expect(recording.streams[0].segments[0].block.samples == [0.25, 0.5, 0.75])
        #expect(recording.streams[1].segments[0].block.samples == [5, 6, 7])
        #expect(recording.header.duration == 3.0 / 125)
        let coded = try JSONDecoder().decode(
            ColumnMap.self,
            from: Data(#"{"time": {"column": "t", "unit": "us"}, "columns": [{"column": "v", "kind": "eda"}]}"#.utf8))
        let timed = try read("t,v\n1000,1\n2000,2\n3000,3\n", map: coded)
        #expect(timed.streams[0].header.sampleRate == 1000 && timed.streams[0].header.kind == .eda)
    }

    @Test(arguments: [
        ("eda (uS)", "eda"), ("EDA [uS]", "EDA"), ("\"EDA [uS]\"", "EDA"), ("GSR (microsiemens)", "GSR"),
        ("Subject 5\n\nleft hand\nEDA (uS)", "EDA"),
    ])
    func aUnitInTheHeaderOfOneColumnIsNoColumn(_ header: String, _ label: String) throws {
        let recording = try read(header + "\n5.25\n5.5\n5.75\n", map: ColumnMap(sampleRate: 4))
        let stream = try #require(recording.streams.first)
        #expect(stream.header.channels == [Channel(label: label, unit: .microsiemens)])
        #expect(stream.header.kind == .eda && stream.segments.first?.block.samples == [5.25, 5.5, 5.75])
    }

    @Test func `rows that end with a delimiter have the names of a header that does not`() throws {
        for delimiter in [",", ";", "\t"] {
            let names = ["time [s]", "ECG [mV]", "EDA [uS]"].joined(separator: delimiter)
            let rows = (0..<40).map {
                [Double($0) / 4, 0.5, 3].map { "\($0)" }.joined(separator: delimiter) + delimiter
            }
            let recording = try read(([names] + rows).joined(separator: "\n") + "\n")
            #expect(recording.streams.map(\.header.kind) == [.ecg, .eda], "\(delimiter)")
            #expect(recording.streams.allSatisfy { $0.header.sampleRate == 4 })
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func `a blank line of a single column is a missing value, unless it stands between all lines`(end: String) throws {
        func samples(_ lines: [String]) throws -> [Float] {
            let recording = try read(
                lines.joined(separator: end) + end, map: ColumnMap(sampleRate: 4, columns: [.init(column: "EDA")]))
            return recording.streams[0].segments.flatMap { $0.block.samples }
        }
        let gapped = try samples(["EDA", "", "5", "6", "", "", "7", " ", "8", "9", "10", "11", "", ""])
        let shown = gapped.map { $0.isNaN ? Float(-1) : $0 }
        #expect(shown == [5, 6, -1, -1, 7, -1, 8, 9, 10, 11])
        #expect(try samples(["EDA", "", "5", "", "6", "", "7", "", "8", ""]) == [5, 6, 7, 8])
    }

    @Test func `numbers may stand below a header of any length`() throws {
        let story = (0..<2_000).map { "# \($0): what was done before the recording began, and by whom\n" }.joined()
        #expect(story.utf8.count > 100_000)
        let rows = (0..<8).map { "\(Double($0) / 4),3.5\n" }.joined()
        #expect(try read(story + "time [s],EDA [uS]\n" + rows).streams[0].header.sampleRate == 4)
        let words = story.replacing("# ", with: "")
        let skipped = try read(words + "time [s],EDA [uS]\n" + rows, map: ColumnMap(skipRows: 2_000))
        #expect(skipped.streams[0].header.kind == .eda)
    }

    @Test func belowOneNameCommasStandBeforeDecimals() throws {
        let recording = try read("EDA (uS)\n5,25\n5,5\n5\n", map: ColumnMap(sampleRate: 4))
        #expect(recording.streams.map(\.header.kind) == [.eda])
        #expect(recording.streams.first?.segments.first?.block.samples == [5.25, 5.5, 5])
    }

    /// As pandas writes what is missing in one column.
    @Test func emptyQuotesAreMissingSamples() throws {
        let recording = try read("EDA\n\"\"\n5.25\n\"\"\n5.5\n5.75\n", map: ColumnMap(sampleRate: 4))
        let samples = try #require(recording.streams.first?.segments.first?.block.samples)
        #expect(recording.streams.first?.header.channels.first?.label == "EDA")
        #expect(samples.map(\.isNaN) == [true, false, true, false, false] && samples.last == 5.75)
    }

    @Test(arguments: [
        ["AFF5h", "FFC1h", "CPP5h", "POO10h", "TPP9h", "AFp1", "OI1h", "FCC3h", "TTP7h", "Cz", "I1", "NFpz"],
        ["E1", "E33", "E128", "E257"], ["EEGF3", "EEGCz", "EEG Fp1-REF"], ["A1", "B32", "H7"],
    ])
    func electrodesOfAllSystemsAreOneEEG(_ names: [String]) throws {
        let header = names.map { $0 + " [µV]" }.joined(separator: ",")
        let row = names.map { _ in "1" }.joined(separator: ",")
        let recording = try read("time,\(header)\n0,\(row)\n0.01,\(row)\n0.02,\(row)\n")
        #expect(recording.streams.map(\.header.kind) == [.eeg])
        #expect(recording.streams.first?.header.channels.map(\.label) == names)
    }

    @Test func singleColumnNeedsARate() throws {
        #expect(formatError { try read("530\n518\n506\n") }?.contains("give the sample rate") == true)
        let samples = try read("530\n518\n506\n", map: ColumnMap(sampleRate: 100)).streams[0].segments[0].block.samples
        #expect(samples == [530, 518, 506])
    }

    @Test(arguments: [
        ("", "is empty"), ("\0\0", "is not text"), ("a,b\nc,d\n", "no lines of numbers"),
        ("time,ecg\n0,1\n0.01,x\n0.02,3\n", "no column of numbers"),
        ("time,ecg\n0,1\n0.01\n0.02,3\n", "line 3: has 1 cells, expected 2"),
        ("time,ecg\n0,1\n0.01,2,5\n0.02,3\n", "line 3: has more than 2 cells"),
        ("time,ecg\n0,1\nx,2\n0.02,3\n", "line 3, column time: found \"x\", expected a time"),
        ("time,ecg\n0,1\n0,2\n0,3\n", "are all the same"), ("time,ecg\n0,1\n1,2\n2,3\n", "unit of the times"),
        ("time,ecg\n0,1\n0.01,2\n0.02,3\n0.03,4\n-5,5\n", "line 6, column time: the time goes back"),
    ])
    func badFilesAreRefusedInOneLine(_ text: String, _ expected: String) throws {
        let message = formatError { try read(text) }
        #expect(message?.contains(expected) == true, "\(message ?? "no error")")
        #expect(message?.contains("\n") == false)
        #expect(message?.contains("d.csv") == true)
    }

    @Test func laterTextIsAnErrorWithItsLine() throws {
        let text = "time,ecg\n" + (0..<1000).map { "\(Double($0) / 100),\($0 == 900 ? "oops" : "1")\n" }.joined()
        #expect(formatError { try read(text) }?.contains("line 902, column ecg: found \"oops\"") == true)
    }

    @Test func badMapsAreRefused() throws {
        let text = "time,ecg\n0,1\n0.01,2\n"
        #expect(
            formatError { try read(text, map: ColumnMap(time: .init(column: "clock"))) }?
                .contains("has no column \"clock\"; its columns are time, ecg") == true)
        for rate in [0, -1, .nan, .infinity] as [Double] {
            #expect(formatError { try read(text, map: ColumnMap(sampleRate: rate)) }?.contains("not possible") == true)
        }
    }

    @Test(.enabled(if: RealData.has("other_wearables/shimmer/shimmer.csv"))) func realExportsAreRead() throws {
        let shimmer = try Recording(reading: Delimited(RealData.url("other_wearables/shimmer/shimmer.csv")))
        #expect(shimmer.header.start?.description == "2020-07-28T10:56:50.034Z")
        #expect(shimmer.streams(of: .eda).first?.header.channels.map(\.unit) == [.microsiemens])
        #expect(shimmer.streams(of: .acceleration).first?.segments.map(\.block.frameCount) == [90])
        guard RealData.has("biosppy_examples/acc.txt") else { return }
        let acceleration = try Recording(reading: Delimited(RealData.url("biosppy_examples/acc.txt"))).streams[0]
        #expect(acceleration.header.kind == .acceleration && acceleration.header.sampleRate == 100)
        #expect(acceleration.header.channels.map(\.label) == ["acc_x", "acc_y", "acc_z"])
        #expect(acceleration.segments[0].block.channel(1)[0] == -0.88965)
    }

    @Test(.enabled(if: RealData.has("other_wearables/shimmer/shimmer.csv"))) func mutatedFilesNeverCrash() throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 12)
        for name in ["other_wearables/shimmer/shimmer.csv", "bidmc/bidmc_01_Numerics.csv", "biosppy_examples/acc.txt"]
        where RealData.has(name) {
            let bytes = try InputFile(RealData.url(name)).read(at: 0, count: 5000)
            for _ in 0..<100 {
                let url = try folder.file("m.csv", mutated(bytes, using: &random))
                _ = Delimited.recognizes(try InputFile(url).read(at: 0, count: 4096), url: url)
                if let reader = try? Delimited(url) { _ = try? drain(reader) }
            }
        }
    }

    /// One sample a second for five minutes, its times in another unit.
    @Test(arguments: [
        ("time (min)", 60.0), ("time [h]", 3_600), ("time [d]", 86_400), ("Time [minutes]", 60), ("time_min", 60),
        ("elapsed (hours)", 3_600), ("time [s]", 1), ("time [ms]", 0.001), ("Timestamp (s since start, UTC)", 1),
    ])
    func timesAreInTheUnitThatTheHeaderStates(header: String, seconds: Double) throws {
        let rows = (0..<300).map { String(format: "%.9f,%d\n", Double($0) / seconds, $0) }.joined()
        for text in ["\(header),eda\n" + rows, "time,eda\n\(header.split { !$0.isLetter }.last ?? ""),uS\n" + rows] {
            guard !header.contains("UTC") || text.hasPrefix(header) else { continue }
            let recording = try read(text)
            let stream = try #require(recording.streams.first)
            #expect(abs(stream.header.sampleRate - 1) < 1e-6 && stream.segments.count == 1, "\(text.prefix(40))")
            #expect(abs((recording.header.duration ?? 0) - 300) < 1e-4)
        }
    }

    @Test(arguments: ["time [fortnights]", "time (samples)", "time [m]"])
    func anUnknownUnitOfTimeIsRefused(header: String) throws {
        let rows = (0..<50).map { "\(Double($0) / 10),\($0)\n" }.joined()
        let message = formatError { try read("\(header),eda [uS]\n" + rows) }
        #expect(message?.contains("no known unit of time") == true && message?.contains("min, h, d") == true)
        let map = ColumnMap(time: .init(column: "1", unit: .seconds))
        #expect(try read("\(header),eda [uS]\n" + rows, map: map).streams[0].header.sampleRate == 10)
    }

    @Test func whatIsSaidOfTheClockIsNoUnit() throws {
        for header in ["timestamp (UTC)", "Time [unix]", "time"] {
            let rows = (0..<50).map { "\(1_700_000_000 + Double($0) / 4),\($0)\n" }.joined()
            let recording = try read("\(header),eda\n" + rows)
            #expect(recording.streams[0].header.sampleRate == 4 && recording.header.start != nil)
        }
    }

    /// One row in ten is missing, here and there: no single gap is long, and samples are placed by their times.
    @Test func rowsLostAllOverTheFileAreTold() throws {
        var random = SplitMix64(seed: 5)
        var text = "time,eda [uS]\n"
        var squares = 0.0
        let rows = (0..<20_000).filter { _ in Double.random(in: 0...1, using: &random) > 0.1 }
        for row in rows { text += String(format: "%.2f,%d\n", Double(row) / 50, row) }
        let step = Double(rows[rows.count - 1] - rows[0]) / 50 / Double(rows.count - 1)
        for (place, row) in rows.enumerated() {
            let stray = Double(row - rows[0]) / 50 - Double(place) * step
            squares += stray * stray
        }
        try #require((squares / Double(rows.count)).squareRoot() > 0.1)
        let recording = try read(text)
        try #require(recording.streams[0].segments.count == 1)
        #expect(recording.header.notes.contains { $0.contains("samples were placed by their times") })
        // Each sample is its row's number, and has the time of that row.
        let segment = recording.streams[0].segments[0]
        for (index, value) in segment.block.samples.enumerated() {
            #expect(abs(segment.start.onset(ofOffset: index) * 50 - Double(value)) < 1.5)
        }
        let even = (0..<6_000).map { String(format: "%.2f,%d\n", Double($0) / 50, $0) }.joined()
        #expect(try read("time,eda [uS]\n" + even).header.notes.isEmpty)
    }
}
