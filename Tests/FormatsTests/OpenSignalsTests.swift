import Formats
import Foundation
import Signals
import Testing

/// Text files of OpenSignals, with headers as its versions write them.
struct OpenSignalsTests {
    /// A file of a device with these columns beside its sequence numbers.
    static func text(
        model: String, sensors: [String], bits: String, rate: Int = 100, columns: String? = nil, more: String = "",
        rows: [[Int]]
    ) -> String {
        let list = sensors.map { "\"\($0)\"" }.joined(separator: ", ")
        let labels = sensors.indices.map { "\"A\($0 + 1)\"" }.joined(separator: ", ")
        let named = columns.map { "\"column\": [\($0)], " } ?? ""
        let entry =
            "{\"sensor\": [\(list)], \"device name\": \"20:16\", \(named)\"time\": \"7:3:47.29\", \(more)"
            + "\"date\": \"2016-6-11\", \"device\": \"\(model)\", \"sampling rate\": \(rate), "
            + "\"label\": [\(labels)], \"resolution\": \(bits)}"
        return "# OpenSignals Text File Format\n# {\"20:16\": \(entry)}\n# EndOfHeader\n"
            + rows.map { $0.map { "\($0)\t" }.joined() + "\n" }.joined()
    }

    static let bitalinoColumns = "\"nSeq\", \"I1\", \"I2\", \"O1\", \"O2\", \"A1\""
    static let pluxColumns = "\"nSeq\", \"DI\", \"A1\""

    private func recording(_ text: String) throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(folder.file("a.txt", text)))
    }

    /// One device's channel of these counts.
    private func values(_ sensor: String, _ model: String, bits: Int, _ counts: [Int], more: String = "") throws -> (
        stream: StreamHeader, values: [Float]
    ) {
        let text = Self.text(
            model: model, sensors: [sensor], bits: "[\(bits)]", columns: Self.pluxColumns, more: more,
            rows: counts.enumerated().map { [$0.offset, 0, $0.element] })
        let stream = try recording(text).streams[0]
        return (stream.header, stream.segments[0].block.samples)
    }

    @Test func `a header tells start, rate, kinds and labels`() throws {
        let rows = (0..<300).map { [$0 % 16, 0, 0, 1, 1, 500 + $0 % 50, 512, 300 + $0] }
        let found = try recording(
            Self.text(
                model: "bitalino_rev", sensors: ["ECGBIT", "RAW", "EDABITREV"], bits: "[4, 1, 1, 1, 1, 10, 10, 10]",
                columns: Self.bitalinoColumns + ", \"A2\", \"A3\"", rows: rows))
        #expect(found.header.format == "OpenSignals" && found.header.duration == 3)
        #expect(found.header.start?.description == "2016-06-11T07:03:47.029Z")
        #expect(found.streams.map(\.header.kind) == [.ecg, .other, .eda])
        #expect(found.streams.map(\.header.channels[0].label) == ["A1", "A2", "A3"])
        #expect(found.streams.allSatisfy { $0.header.sampleRate == 100 && $0.gaps.isEmpty })
        #expect(found.streams[1].segments[0].block.samples == Array(repeating: 512, count: 300))
        #expect(found.streams[1].header.channels[0].unit == .unknown)
        #expect(found.header.notes.count == 1)
        #expect(found.header.notes[0].contains("ECGBIT of 10 bits, EDABITREV of 10 bits"))
    }

    /// By the formulas of the sensors' datasheets.
    @Test(arguments: [
        ("ECG", "biosignalsplux", 16, 65_535, 1.4720, "mV"), ("ECGBIT", "bitalino_rev", 10, 0, -1.5, "mV"),
        ("ECG", "bitalino", 10, 512, 0, "mV"), ("EMGBITREV", "bitalino_rev", 10, 768, 0.81764, "mV"),
        ("EEG", "channeller", 16, 49_152, 17.861, "µV"), ("EDA", "channeller", 16, 46_888, 17.886, "µS"),
        ("EDABITREV", "bitalino_rev", 10, 461, 11.2549, "µS"), ("EDABIT", "bitalino", 10, 512, 2, "µS"),
        ("TEMP", "biosignalsplux", 16, 32_768, 25, "°C"), ("TEMP", "bitalino_rev", 10, 256, 32.5, "°C"),
        ("XYZ", "biosignalsplux", 16, 38_000, 1, "g"), ("ACCBIT", "bitalino_rev", 10, 400, -1, "g"),
        ("RESPIRATION", "biosignalsplux", 16, 49_152, 25, "%"),
    ])
    func `counts become units`(
        sensor: String, model: String, bits: Int, count: Int, value: Double, unit: String
    ) throws {
        let (stream, values) = try values(sensor, model, bits: bits, [count, count, count, count])
        #expect(abs(Double(values[3]) - value) < 2e-3 * max(1, abs(value)), "\(values[3])")
        #expect(stream.channels[0].unit.rawValue == unit)
    }

    @Test(arguments: [("RAW", "biosignalsplux", ""), ("ECG", "an unknown one", ""), ("BVP", "biosignalsplux", "")])
    func `what is not known stays a count`(sensor: String, model: String, more: String) throws {
        let (stream, values) = try values(sensor, model, bits: 16, [1, 2, 40_000, 4])
        #expect(values == [1, 2, 40_000, 4] && stream.channels[0].unit == .unknown)
    }

    @Test func `values that were converted already stay as they are`() throws {
        let (stream, values) = try values(
            "EDA", "biosignalsplux", bits: 16, [5, 6, 7, 8], more: "\"convertedValues\": 1, ")
        #expect(values == [5, 6, 7, 8] && stream.channels[0].unit == .microsiemens)
    }

    @Test func `a header without columns has sequence numbers first and channels last`() throws {
        let text = Self.text(
            model: "bioplux", sensors: ["CUSTOM/0.5/1.0/V"], bits: "12", rows: (0..<50).map { [$0, 0, 2_050 + $0] })
        let stream = try recording(text).streams[0]
        #expect(stream.segments[0].block.samples == (0..<50).map { Float(2_050 + $0) })
    }

    /// Sequence numbers, and the rows before which samples were lost, with how many.
    @Test(arguments: [
        (["bitalino_rev", "[4, 1, 10]"], [13, 14, 15, 0, 1, 2, 7, 8, 8, 9], [6: 4, 8: 15]),
        (["biosignalsplux", "[16]"], [32_766, 32_767, 0, 1, 5], [4: 3]),
        (["biosignalsplux", "[16]"], [65_534, 65_535, 65_536, 65_539], [3: 2]),
        (["biosignalsplux", "[16]"], [32_765, 3, 4, 5, 6], [1: 5]),
    ])
    func `sequence numbers tell what was lost`(device: [String], numbers: [Int], lost: [Int: Int]) throws {
        // So many more that a loss is the exception.
        let last = numbers[numbers.count - 1]
        let modulus = device[0] == "bitalino_rev" ? 16 : 1 << 20
        let all = numbers + (1...40).map { (last + $0) % modulus }
        let text = Self.text(
            model: device[0], sensors: ["RAW"], bits: device[1], columns: Self.pluxColumns,
            rows: all.enumerated().map { [$0.element, 0, $0.offset] })
        let found = try recording(text)
        let stream = found.streams[0]
        var frame = 0
        var expected: [[Double]] = []
        for row in all.indices {
            if let gap = lost[row] {
                expected.append([Double(frame) / 100, Double(gap) / 100])
                frame += gap
            }
            frame += 1
        }
        #expect(stream.gaps.count == expected.count && stream.gaps.allSatisfy { $0.reason == .deviceLost })
        for (gap, wanted) in zip(stream.gaps, expected) {
            #expect(abs(gap.onset - wanted[0]) < 1e-9 && abs(gap.duration - wanted[1]) < 1e-9)
        }
        #expect(stream.segments.flatMap(\.block.samples) == all.indices.map { Float($0) })
        #expect(abs((found.header.duration ?? 0) - Double(frame) / 100) < 1e-9)
        #expect(found.header.notes.contains { $0.contains("\(lost.values.reduce(0, +)) samples") })
    }

    @Test func `sequence numbers that stand still count nothing`() throws {
        for bits in ["[4, 1, 10]", "[16]"] {
            let text = Self.text(
                model: "x", sensors: ["PPGBIT"], bits: bits, columns: Self.pluxColumns,
                rows: (0..<2_000).map { [0, 0, $0] })
            let found = try recording(text)
            #expect(found.streams[0].gaps.isEmpty && found.header.duration == 20)
            #expect(found.header.notes.contains { $0.contains("whether samples were lost is not told") })
        }
    }

    @Test func `a marker stands where a digital input leaves its first level, losses counted`() throws {
        // 10 samples are lost before row 20; DI goes down in rows 30 to 34 and up again.
        let rows = (0..<60).map { row in [row < 20 ? row : row + 10, (30..<35).contains(row) ? 0 : 1, 7] }
        let found = try recording(
            Self.text(
                model: "biosignalsplux", sensors: ["RAW"], bits: "[16]", columns: Self.pluxColumns, rows: rows))
        #expect(found.markers == [Marker(onset: 0.4, label: "DI 0")])
    }

    @Test func `several devices lose their own samples`() throws {
        func entry(_ name: String) -> String {
            "\"\(name)\": {\"sensor\": [\"ECG\"], \"column\": [\"nSeq\", \"DI\", \"CH1\"], \"sampling rate\": 1000, "
                + "\"label\": [\"CH1\"], \"resolution\": [16], \"device\": \"biosignalsplux\"}"
        }
        let rows = (0..<100).map { row in "\(row)\t1\t32768\t\(row < 50 ? row + 500 : row + 503)\t1\t0\t\n" }.joined()
        let found = try recording(
            "# OpenSignals Text File Format\n# {\(entry("B:2")), \(entry("A:1"))}\n# EndOfHeader\n" + rows)
        #expect(found.streams.map(\.header.name) == ["ecg", "ecg2"])
        #expect(found.streams[0].gaps.isEmpty && found.streams[0].segments[0].block.samples[9] == 0)
        #expect(found.header.notes.contains { $0.hasSuffix("3 samples of biosignalsplux A:1 got lost at 1 place") })
        let gaps = found.streams[1].gaps
        #expect(gaps.count == 1 && gaps[0].onset == 0.05 && abs(gaps[0].duration - 0.003) < 1e-12)
    }

    @Test func `what cannot be is refused with its place`() throws {
        let folder = try TemporaryFolder()
        func refusal(_ text: String) throws -> String? {
            let url = try folder.file("a.txt", text)
            return formatError { try Recording(reading: RecordingFile.open(url)) }
        }
        func plux(_ numbers: [Int]) -> String {
            Self.text(
                model: "biosignalsplux", sensors: ["ECG"], bits: "[16]", columns: Self.pluxColumns,
                rows: numbers.map { [$0, 0, 1] })
        }
        let anew = try refusal(plux([5_000, 5_001, 5_002, 0, 1]))
        #expect(anew?.contains("line 7: the sequence numbers begin anew at 0 after 5002") == true, "\(anew ?? "")")
        #expect(try refusal(plux([5_000, 5_001, 4_990, 4_991]))?.contains("line 6: the sequence number 4990") == true)
        let whole = plux(Array(0..<20))
        for (part, other, words) in [
            ("7\t0\t1\t", "x\t0\t1\t", "line 11, column 1: has no sequence number"),
            ("\"sampling rate\": 100", "\"rate\": 100", "line 2: device 20:16 has no sampling rate"),
            ("# {", "# {{", "line 2: is no JSON object"),
            ("\"DI\", ", "", "describes 2 columns, the rows below have 3"),
        ] {
            #expect(try refusal(whole.replacing(part, with: other))?.contains(words) == true, "\(words)")
        }
        #expect(try refusal("# OpenSignals Text File Format\n# EndOfHeader\n1\t2\n2\t3\n")?.contains("no line") == true)
    }
}
