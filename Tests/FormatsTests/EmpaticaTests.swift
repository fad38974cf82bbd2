import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct EmpaticaTests {
    /// The files of a small session.
    static let session: [String: String] = [
        "ACC.csv": "1551453301.000000, 1551453301.000000, 1551453301.000000\n32.000000, 32.000000, 32.000000\n-1,65,5\n"
            + "-2,64,-128\n0,127,3\n",
        "BVP.csv": "1551453301.00\n64.000000\n-0.00\n1.25\n-27.31\n100.5\n",
        "EDA.csv": "1551453301.000000\n4.000000\n0.000000\n0.005126\n0.005126\n",
        "TEMP.csv": "1551453301.000000\n4.000000\n28.39\n28.41\n",
        "HR.csv": "1551453311.000000\n1.000000\n88.00\n87.50\n",
        "IBI.csv": "1551453301.000000, IBI\n145.631666,0.62509\n146.522332,0.890666\n",
        "tags.csv": "1551453311.68\n1551453318.17\n",
        "info.txt": "anything",
    ]

    static func folder(_ change: (inout [String: String]) -> Void = { _ in }) throws -> TemporaryFolder {
        var files = session
        change(&files)
        let folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.file(name, text) }
        return folder
    }

    static func read(_ change: (inout [String: String]) -> Void = { _ in }) throws -> Recording {
        let folder = try folder(change)
        return try Recording(reading: EmpaticaSession(folder.url))
    }

    static func stream(_ recording: Recording, _ kind: StreamKind) throws -> Signals.Stream {
        try #require(recording.streams(of: kind).first)
    }

    static func expectSession(_ recording: Recording) throws {
        #expect(recording.header.start == Timestamp(secondsSince1970: 1_551_453_301))
        #expect(recording.header.duration == 12)
        let acceleration = try stream(recording, .acceleration)
        #expect(acceleration.header.sampleRate == 32)
        #expect(acceleration.header.channels.map(\.unit) == [.g, .g, .g])
        #expect(acceleration.segments[0].block.channel(0) == [-0.015625, -0.03125, 0])
        #expect(acceleration.segments[0].block.channel(1) == [1.015625, 1, 1.984375])
        #expect(acceleration.segments[0].block.channel(2) == [0.078125, -2, 0.046875])
        #expect(try stream(recording, .bvp).segments[0].block.samples == [0, 1.25, -27.31, 100.5])
        let eda = try stream(recording, .eda)
        #expect(eda.segments[0].block.samples == [0, 0.005126, 0.005126])
        #expect(eda.segments[0].start.onset(ofOffset: 2) == 0.5)
        let rate = try stream(recording, .heartRate)
        #expect(rate.segments[0].start.onset == 10)
        #expect(rate.segments[0].block.samples == [88, 87.5])
        let intervals = try stream(recording, .ibi).values
        #expect(intervals.map(\.values) == [[0.62509], [0.890666]])
        #expect(intervals.map(\.onset) == [145.631666, 146.522332])
        #expect(
            recording.markers == [Marker(onset: 10.68, label: "tag"), Marker(onset: 17.17, label: "tag")])
    }

    @Test func allFilesOfASessionAreRead() throws {
        try Self.expectSession(Self.read())
    }

    @Test func carriageReturnsAndSpacesAreAccepted() throws {
        try Self.expectSession(
            Self.read { files in
                for name in files.keys {
                    files[name] = files[name]?.replacingOccurrences(of: "\n", with: " \r\n")
                        .replacingOccurrences(of: ",", with: ", ")
                }
            })
    }

    @Test func lastLinesMayLackTheirEnd() throws {
        try Self.expectSession(Self.read { files in for name in files.keys { files[name]?.removeLast() } })
    }

    @Test func namesInOtherCaseAndTagsWithTheSubjectAreFound() throws {
        try Self.expectSession(
            Self.read { files in
                files["tags_S01.csv"] = files.removeValue(forKey: "tags.csv")
                files["Acc.CSV"] = files.removeValue(forKey: "ACC.csv")
            })
    }

    @Test func emptyMissingAndOneLineFilesAreNoted() throws {
        let recording = try Self.read { files in
            files["EDA.csv"] = ""
            files["TEMP.csv"] = nil
            files["HR.csv"] = "1551453311.000000\n"
            files["IBI.csv"] = "1551453301.000000, IBI\n"
            files["tags.csv"] = ""
            files["BVP.csv"] = "1551453301.00\n64.000000\n"
        }
        #expect(
            Set(recording.header.notes) == [
                "EDA.csv is empty", "TEMP.csv is missing",
                "HR.csv has only its first line, no sample rate and no samples", "BVP.csv has no samples",
            ])
        #expect(recording.streams.map(\.header.kind) == [.acceleration, .bvp, .ibi])
        #expect(recording.streams[1].segments.isEmpty && recording.streams[2].values.isEmpty)
        #expect(recording.markers.isEmpty)
    }

    @Test func filesThatEndLongBeforeTheOthersAreNoted() throws {
        func rows(_ seconds: Int, _ rate: Int, _ row: String) -> String {
            let head = row.split(separator: ",").count == 3 ? 3 : 1
            func line(_ text: String) -> String { Array(repeating: text, count: head).joined(separator: ", ") + "\n" }
            return line("1551453301.000000") + line("\(rate).000000")
                + String(repeating: row + "\n", count: seconds * rate)
        }
        func notes(bvp: Int, hr: Int = 60) throws -> [String] {
            try Self.read { files in
                files["ACC.csv"] = rows(60, 32, "-1,65,5")
                files["BVP.csv"] = rows(bvp, 64, "1.25")
                files["EDA.csv"] = rows(59, 4, "0.5")
                files["TEMP.csv"] = rows(61, 4, "28.4")
                files["HR.csv"] = rows(hr, 1, "88.00")
            }.header.notes
        }
        #expect(try notes(bvp: 30) == ["BVP.csv ends at 30.0 s, TEMP.csv at 61.0 s: was it cut off?"])
        #expect(try notes(bvp: 52, hr: 20).isEmpty)
    }

    @Test func theEarliestFileIsTheStart() throws {
        let recording = try Self.read { $0["TEMP.csv"] = "1551453300.250000\n4.000000\n28.39\n28.41\n" }
        #expect(recording.header.start?.secondsSince1970 == 1_551_453_300.25)
        #expect(try Self.stream(recording, .bvp).segments[0].start.onset == 0.75)
    }

    /// Numbers as the export writes them, and every other way: of any length, with the point anywhere, now and then with
    /// something around them.
    private static func numbers(_ count: Int, seed: UInt64, oddEvery odd: Int) -> [(text: String, value: Double)] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let digits = (0..<Int.random(in: 1...(index % 7 == 0 ? 15 : 8), using: &random)).map { _ in
                Character("\(Int.random(in: 0...9, using: &random))")
            }
            var text = String(digits)
            if Bool.random(using: &random) {
                let point = Int.random(in: 0...text.count, using: &random)
                text.insert(".", at: text.index(text.startIndex, offsetBy: point))
            }
            if Bool.random(using: &random) { text = "-" + text }
            let value = strtod(text, nil)
            if Int.random(in: 0..<odd, using: &random) == 0 {
                text = ["+0\(value.magnitude)", " \(text)", "\(text) "][index % 3]
            }
            return (text, text.hasPrefix("+") ? value.magnitude : value)
        }
    }

    @Test("numbers are read exactly, however they are written", arguments: [2, 40, 100_000])
    func exactNumbers(oddEvery: Int) throws {
        let pulse = Self.numbers(30_000, seed: 1, oddEvery: oddEvery)
        let motion = Self.numbers(30_000, seed: 2, oddEvery: oddEvery)
        let rows = stride(from: 0, to: motion.count, by: 3).map {
            motion[$0..<$0 + 3].map(\.text).joined(separator: ",")
        }
        let recording = try Self.read { files in
            files["BVP.csv"] = "1551453301.00\n64.000000\n" + pulse.map { $0.text + "\n" }.joined()
            files["ACC.csv"] =
                "1551453301.0, 1551453301.0, 1551453301.0\n32.0, 32.0, 32.0\n" + rows.joined(separator: "\n") + "\n"
        }
        #expect(try Self.stream(recording, .bvp).segments[0].block.samples == pulse.map { Float($0.value) })
        let acceleration = try Self.stream(recording, .acceleration).segments[0].block
        for axis in 0..<3 {
            let wanted = stride(from: axis, to: motion.count, by: 3).map { Float(motion[$0].value / 64) }
            #expect(acceleration.channel(axis) == wanted)
        }
    }

    @Test func missingNumbersStayMissing() throws {
        let samples = try Self.stream(Self.read { $0["EDA.csv"]? += "NaN\n0.5\n" }, .eda).segments[0].block.samples
        #expect(samples.count == 5 && samples[3].isNaN && samples[4] == 0.5)
    }

    @Test(arguments: [
        ("ACC.csv", "1.0, 2.0\n32, 32\n", "line 1: found '1.0, 2.0', expected the start"),
        ("BVP.csv", "start\n64\n1\n", "line 1: found 'start', expected the start"),
        ("BVP.csv", "1551453301\n0\n1\n", "line 2: found '0', expected the sample rate in Hz, above 0"),
        ("BVP.csv", "1551453301\n-64\n1\n", "line 2: found '-64'"),
        ("BVP.csv", "1551453301\nnan\n1\n", "line 2: found 'nan'"),
        ("BVP.csv", "1551453301\n1e300\n1\n", "line 2: found '1e300'"),
        ("BVP.csv", "1551453301\n64\n1\nx\n2\n", "line 4: found 'x', expected a number"),
        ("BVP.csv", "1551453301\n64\n1\n\n2\n", "line 4: is empty, expected a number"),
        (
            "ACC.csv", "1551453301,1551453301,1551453301\n32,32,32\n1,2\n3,4,5\n",
            "line 3: found '1,2', expected 3 numbers"
        ),
        (
            "ACC.csv", "1551453301,1551453301,1551453301\n32,32,32\n1,2,3,4\n",
            "line 3: found '1,2,3,4', expected 3 numbers"
        ),
        ("IBI.csv", "1551453301, IBI\n5,0.8\n4,0.8\n", "line 3: found '4.0,0.8', expected seconds not before 5.0"),
        ("IBI.csv", "1551453301, IBI\n5,-0.8\n", "line 2: found '5.0,-0.8'"),
        ("IBI.csv", "1551453301, IBI\n5,0.8\n1e300,0.8\n", "line 3: found '1e+300,0.8'"),
        ("IBI.csv", "1551453301, IBI\n5,1e12\n", "line 2: found '5.0,1000000000000.0'"),
        ("tags.csv", "1551453311\nx\n", "line 2: found 'x'"),
    ])
    func wrongRowsAreNamedByFileAndLine(file: String, text: String, expected: String) throws {
        let folder = try Self.folder { $0[file] = text }
        let message = formatError { try Recording(reading: EmpaticaSession(folder.url)) }
        #expect(message?.contains("/" + file + ", " + expected) == true, "\(message ?? "no error")")
        #expect(message?.contains("\n") == false)
    }

    @Test(
        "what is no number is found wherever it stands",
        arguments: [".", "-", "-.", "1.2.3", "--1", "1-2", "1:2", "/1", "12345678x", "1.23456789.0", "1,2", ",", "1,"])
    func oddTextAmongMany(text: String) throws {
        for place in [0, 1, 7, 250, 498, 499] {
            for (name, other, odd) in [("BVP.csv", "-2.5", text), ("ACC.csv", "64,-7,0", "1,\(text),2")] {
                var rows = [String](repeating: other, count: 500)
                rows[place] = odd
                let start = String(repeating: ",1551453301", count: name == "ACC.csv" ? 3 : 1).dropFirst()
                let rate = String(repeating: ",32", count: name == "ACC.csv" ? 3 : 1).dropFirst()
                let folder = try Self.folder {
                    $0[name] = ([start, rate] + rows.map { $0[...] }).joined(separator: "\n") + "\n"
                }
                let message = formatError { try Recording(reading: EmpaticaSession(folder.url)) }
                #expect(message?.contains("\(name), line \(place + 3): found") == true, "\(message ?? "no error")")
            }
        }
    }

    @Test func aCutLastRowIsLeftOutAndNoted() throws {
        let recording = try Self.read { $0["ACC.csv"]? += "12,3" }
        #expect(try Self.stream(recording, .acceleration).segments[0].block.frameCount == 3)
        #expect(recording.header.notes.contains { $0.contains("ends within a row") })
    }

    @Test func blockDurationNeverChangesSamples() throws {
        let text = "1551453301\n4\n" + (0..<70_000).map { "\(Double($0 % 997) / 100)\n" }.joined()
        let folder = try Self.folder { $0["EDA.csv"] = text }
        let whole = try Recording(reading: EmpaticaSession(folder.url))
        #expect(try Self.stream(whole, .eda).segments[0].block.frameCount == 70_000)
        for duration in [0.1, 7, 1e9] {
            let other = try Recording(reading: EmpaticaSession(folder.url, blockDuration: duration))
            for (a, b) in zip(whole.streams, other.streams) {
                #expect(a.segments.map(\.block) == b.segments.map(\.block))
                #expect(a.values == b.values)
            }
            #expect(whole.markers == other.markers)
        }
    }

    @Test func streamsAreInterleavedByTime() throws {
        let folder = try Self.folder { files in
            for (name, rate) in [("EDA.csv", 4), ("BVP.csv", 64)] {
                files[name] = "1551453301\n\(rate)\n" + String(repeating: "1\n", count: rate * 600)
            }
        }
        let reader = try EmpaticaSession(folder.url)
        var times = reader.header.streams.map { _ in 0.0 }
        while let event = try reader.next() {
            guard case .samples(let stream, let block) = event, times[stream] < 600 else { continue }
            times[stream] += Double(block.frameCount) / reader.header.streams[stream].sampleRate
            if stream == 1 || stream == 2 { #expect(abs(times[1] - times[2]) <= 60.001) }
        }
    }

    @Test(.enabled(if: RealData.has("e4_stress_predict/S01/ACC.csv")))
    func realSessions() throws {
        let folder = try Recording(reading: EmpaticaSession(RealData.url("e4_stress_predict/S01")))
        #expect(folder.header.start?.secondsSince1970 == 1_644_226_061)
        #expect(
            folder.streams.map { $0.segments.first?.block.frameCount ?? $0.values.count } == [
                104_310, 208_703, 13_032, 13_056, 3_250, 1_260,
            ])
        #expect(folder.markers.first?.onset == 79)
        #expect(folder.streams[0].segments[0].block.channel(1)[0] == 0.671875)
        let zip = try Recording(reading: EmpaticaSession(RealData.url("e4_stress_predict/S34.zip")))
        #expect(zip.streams.last?.values.count == 3_938)
    }
}
