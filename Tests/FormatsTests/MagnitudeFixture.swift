import Formats
import Foundation
import Signals
import Testing

/// A small recording, any numeric field of which can be given another text.
struct MagnitudeFixture: Sendable, CustomTestStringConvertible {
    /// The file to open; empty for the folder.
    let main: String
    let fieldCount: Int
    /// The files where field `field` says `value`.
    let files: @Sendable (_ field: Int, _ value: String) throws -> [String: [UInt8]]

    var testDescription: String { main.isEmpty ? "folder" : main }

    /// Files of text in which each field stands between « and ».
    static func text(
        _ main: String, _ texts: KeyValuePairs<String, String>, beside data: [String: [UInt8]] = [:]
    ) -> MagnitudeFixture {
        let pieces = texts.map { name, text in
            (
                name: name,
                parts: text.split(omittingEmptySubsequences: false) { $0 == "«" || $0 == "»" }.map(String.init)
            )
        }
        let count = pieces.reduce(0) { $0 + $1.parts.count / 2 }
        return MagnitudeFixture(main: main, fieldCount: count) { field, value in
            var files = data
            var next = 0
            for (name, parts) in pieces {
                var text = ""
                for (place, part) in parts.enumerated() {
                    let isChanged = place % 2 == 1 && next == field
                    text += isChanged ? value : part
                    next += place % 2
                }
                files[name] = Array(text.utf8)
            }
            return files
        }
    }

    /// A number's text as a whole number, the nearest there is.
    private static func whole(_ text: String) -> Int {
        let number = Double(text) ?? 0
        return Int(text) ?? (number >= 0x1p63 ? .max : number < -0x1p63 ? .min : Int(number))
    }

    static let all = [edf, xdf, ownXDF, wfdb, segments, annotations, brainVision, eeglab, ishne, avro, physio] + texts

    // MARK: binary formats

    static let edf = MagnitudeFixture(main: "a.edf", fieldCount: 10) { field, value in
        let onset = field == 7 ? value : "0"
        let event = "+\(field == 8 ? value : "1")\u{15}\(field == 9 ? value : "1")\u{14}mark\u{14}\0"
        var fixture = EDFFixture.plus(
            "EDF+C", lists: ["+\(onset)\u{14}\u{14}\0" + event, "+1\u{14}\u{14}\0"], annotationBytes: 96)
        let fields: [WritableKeyPath<EDFFixture, String>] = [
            \.records, \.duration, \.signals[0].physicalMinimum, \.signals[0].physicalMaximum,
            \.signals[0].digitalMinimum, \.signals[0].digitalMaximum, \.signals[0].samples,
        ]
        if fields.indices.contains(field) { fixture[keyPath: fields[field]] = value }
        return ["a.edf": fixture.bytes]
    }

    private static func xml(_ tag: UInt8, _ id: [UInt8], _ text: String) -> [UInt8] {
        XDFFixture.chunk(tag, id + Array("<info>\(text)</info>".utf8))
    }

    private static func stream(_ id: UInt8, _ name: String, _ rate: String, _ format: String, _ desc: String) -> [UInt8]
    {
        xml(
            2, [id, 0, 0, 0],
            "<name>\(name)</name><type>ECG</type><channel_count>1</channel_count><nominal_srate>\(rate)</nominal_srate>"
                + "<channel_format>\(format)</channel_format><desc>\(desc)</desc>")
    }

    private static func line(_ id: UInt8, _ stamp: Double, _ text: String) -> [UInt8] {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: text.utf8.count >> (8 * $0)) }
        return XDFFixture.chunk(
            3, [id, 0, 0, 0, 1, 1, 8] + XDFFixture.bytes(stamp) + [4] + length + Array(text.utf8))
    }

    private static let frames = (0..<100).map { [Float($0 % 7)] }

    static let xdf = MagnitudeFixture(main: "a.xdf", fieldCount: 6) { field, value in
        let number = Double(value) ?? 0
        func clockOffset(_ time: Double, _ offset: Double) -> [UInt8] {
            XDFFixture.chunk(4, [1, 0, 0, 0] + XDFFixture.bytes(time) + XDFFixture.bytes(offset))
        }
        let bytes =
            Array("XDF:".utf8) + xml(1, [], "<marey><start>\(field == 0 ? value : "1.7e9")</start></marey>")
            + stream(1, "ecg", field == 1 ? value : "100", "float32", "")
            + XDFFixture.samples(1, at: field == 2 ? number : 0, frames)
            + clockOffset(0, 1) + clockOffset(field == 3 ? number : 1, field == 4 ? number : 1)
            + XDFFixture.samples(1, at: field == 5 ? number : 5, frames)
        return ["a.xdf": bytes]
    }

    /// As Marey records: a journal says where the segments are.
    static let ownXDF = MagnitudeFixture(main: "own.xdf", fieldCount: 12) { field, value in
        func number(_ place: Int, _ usual: String) -> String { field == place ? value : usual }
        func segment(_ frame: String, _ clock: String, _ onset: String, _ more: String) -> String {
            "{\"type\":\"segment\",\"stream\":\"ecg\",\"frame\":\(frame),\"filled\":\(number(0, "0")),"
                + "\"clock\":\(clock),\"start\":{\"onset\":\(onset),\(more)}}"
        }
        let gap = "{\"onset\":\(number(1, "1")),\"duration\":\(number(2, "4")),\"reason\":\"fileGap\"}"
        let rate = "\"sampleRate\":\(number(3, "100"))"
        let second = "\"sample\":\(number(8, "100")),\(rate),\"gap\":\(gap)"
        let mark =
            "{\"type\":\"marker\",\"stream\":\"ecg\",\"frame\":\(number(9, "0")),\"duration\":\(number(10, "1"))}"
        let bytes =
            Array("XDF:".utf8) + xml(1, [], "<version>1.0</version>")
            + stream(1, "markers", "0", "string", "<marey><journal>0</journal></marey>")
            + stream(2, "marey-events", "0", "string", "<marey><journal>1</journal></marey>")
            + stream(3, "ecg", "100", "float32", "<marey><kind>ecg</kind></marey>")
            + line(
                2, 0, segment(number(4, "0"), number(5, "0"), number(6, "0"), "\"sample\":\(number(7, "0")),\(rate)"))
            + line(2, 5, segment("100", "5", number(11, "5"), second)) + line(2, 5, mark) + line(1, 5, "hello")
            + XDFFixture.samples(3, at: 0, frames) + XDFFixture.samples(3, at: 5, frames)
        return ["own.xdf": bytes]
    }

    private static let signalFile = (0..<200).flatMap { EDFFixture.bytes(Int16($0 % 50)) }
    private static let signal = "s 1 100 200\nr.dat 16 100 16 0 0 0 0 ECG\n"

    private static let wfdb = text(
        "r.hea",
        [
            "r.hea": "r 2 «100»/«100»(«0») «200» «12»:30:05 «1»/«3»/«2026»\n"
                + "r.dat 16x«1»:«0»+«0» «100»(«0»)/mV «16» «0» «0» «0» «0» ECG\n~ 0x«1»\n"
        ], beside: ["r.dat": signalFile])

    static let segments = text(
        "m.hea",
        ["m.hea": "m/4 1 «100» «800»\ns «200»\n~ «200»\nn «200»\ns «200»\n", "n.hea": "n 1 100 «200»\n~ 0 100\n"],
        beside: ["s.hea": Array(signal.utf8), "r.dat": signalFile])

    private static let annotations = MagnitudeFixture(main: "s.hea", fieldCount: 2) { field, value in
        let list = [(field == 0 ? whole(value) : 20), 40].map { WFDBAnnotation(sample: $0, code: 1) }
        // A tick is written for each 2^31 on the way, so the far ends are not those of 64 bits.
        let near = list.map { WFDBAnnotation(sample: max(-(1 << 45), min(1 << 45, $0.sample)), code: $0.code) }
        let notes = WFDBAnnotations(near, timeResolution: field == 1 ? Double(value) ?? 0 : 100)
        let bytes = try notes.encoded(for: URL(fileURLWithPath: "s.atr"))
        return ["s.hea": Array(signal.utf8), "r.dat": signalFile, "s.atr": bytes]
    }

    private static let brainVision = text(
        "a.vhdr",
        [
            "a.vhdr": BrainVisionFixture().header.replacing("SamplingInterval=2000", with: "SamplingInterval=«2000»")
                .replacing(",0.5,", with: ",«0.5»,").replacing("NumberOfChannels=3", with: "NumberOfChannels=«3»")
                .replacing("MarkerFile", with: "DataPoints=«60»\nMarkerFile"),
            "a.vmrk": "Brain Vision Data Exchange Marker File, Version 1.0\n[Marker Infos]\n"
                + "Mk1=New Segment,,«1»,«1»,«0»,«20240301120000500000»\n"
                + "Mk2=New Segment,,«31»,1,0,«20240301120003500000»\nMk3=Stimulus,S  1,«11»,«1»,«0»\n",
        ], beside: ["a.eeg": BrainVisionFixture(frames: 60).data])

    private static let eeglab = MagnitudeFixture(main: "a.set", fieldCount: 9) { field, value in
        func number(_ place: Int, _ usual: Double) -> Double { field == place ? Double(value) ?? 0 : usual }
        var fixture = EEGLABFixture(
            frames: 60,
            events: [
                (.text("go"), number(0, 5), .number(number(1, 3))),
                (.text("boundary"), number(2, 30.5), .number(number(3, 20))),
            ])
        for (place, name) in ["nbchan", "pnts", "trials", "srate"].enumerated() where field == 4 + place {
            fixture.changed[name] = .number(number(field, 0))
        }
        let date =
            .structs([[("T0", .numbers([number(8, 2024), 3, 1, 12, 30, 5], shape: [1, 6]))]]) as MatlabFixture.Value
        fixture.changed["etc"] = date
        return ["a.set": fixture.bytes]
    }

    private static let ishne: MagnitudeFixture = {
        let fields = [(14, 4), (18, 4), (22, 4), (138, 2), (140, 2), (142, 2), (150, 2), (156, 2), (206, 2), (272, 2)]
        return MagnitudeFixture(main: "a.ecg", fieldCount: fields.count) { field, value in
            var bytes = ISHNETests.fixture
            guard fields.indices.contains(field) else { return ["a.ecg": bytes] }
            let (place, count) = fields[field]
            let largest = 1 << (8 * count - 1) - 1
            let number = max(-largest - 1, min(largest, whole(value)))
            for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            return ["a.ecg": bytes]
        }
    }()

    private static let avro = MagnitudeFixture(main: "a.avro", fieldCount: 3) { field, value in
        let start = 1_700_000_000_000_000
        return [
            "a.avro": AvroFixture.session(
                start: field == 0 ? whole(value) : start, rate: field == 1 ? Float(value) ?? 0 : 4,
                tag: field == 2 ? whole(value) : start, eda: [1, 2, 3, 4], temperature: [30, 31])
        ]
    }

    private static let physio = MagnitudeFixture(main: "sub-01_task-a_physio.tsv.gz", fieldCount: 4) { field, value in
        let name = "sub-01_task-a_physio"
        let folder = try TemporaryFolder()
        let compressed = folder.url.appendingPathComponent("\(name).tsv.gz")
        _ = try BIDSPhysioWriter.write(RecordedEvents(MagnitudeTests.recording(rates: [100])), to: compressed)
        func number(_ place: Int, _ usual: String) -> String { field == place ? value : usual }
        let sidecar =
            "{\"SamplingFrequency\": \(number(0, "100.0")), \"StartTime\": \(number(1, "0.5")), \"Columns\": [\"ECG\"]}"
        let events = "onset\tduration\ttrial_type\n\(number(2, "1"))\t\(number(3, "1"))\tgo\n"
        return [
            "\(name).tsv.gz": Array(try Data(contentsOf: compressed)), "\(name).json": Array(sidecar.utf8),
            "sub-01_task-a_events.tsv": Array(events.utf8),
        ]
    }

    // MARK: text

    private static func rows(_ range: Range<Int>, _ row: (Int) -> String) -> String { range.map(row).joined() }

    /// Forty rows of a time and what follows it, some of which have fields.
    private static func table(after start: String = "", _ rest: String, _ time: (Int) -> String) -> String {
        rows(0..<40) { row in
            let line = "\(start)«\(time(row))»\(rest)\n"
            return [0, 20, 39].contains(row) ? line : line.filter { $0 != "«" && $0 != "»" }
        }
    }

    private static let texts = [
        text("a.csv", ["a.csv": "time [s],ECG [mV]\n" + table(",0.5") { "\(Double($0) / 100)" }]),
        text("b.csv", ["b.csv": "time [ms],ECG [mV]\n" + table(",«0.5»") { "\(1_700_000_000_000 + $0 * 4)" }]),
        text("c.csv", ["c.csv": "# Sampling Rate (Hz):= «100»\n# Labels:= ECG\n" + rows(0..<40) { "\($0 % 7 * 9)\n" }]),
        text("d.csv", ["d.csv": "timestamps,TP9,AF7,Marker0\n" + table(",1,2,«1»") { "\(1_000 + Double($0) / 250)" }]),
        text(
            "e.txt",
            [
                "e.txt": "Phone timestamp;sensor timestamp [ns];ecg [uV]\n"
                    + table(after: "2026-07-26T21:56:26.765;", ";«1»") { "\(838_432_586_543_515_816 + $0 * 7_692_307)" }
            ]),
        text(
            "f.txt",
            [
                "f.txt": "Phone timestamp;RR-interval [ms]\n"
                    + rows(0..<6) { "2026-06-01T21:17:0\($0).832;«\(900 + $0)»\n" }
            ]),
        text(
            "g.csv",
            [
                "g.csv": "Name,Sport,Date,Start time,Duration\na,b,«29»-«08»-«2026»,«22»:00:05,00:00:04\n\n"
                    + "Sample rate,Time,HR (bpm)\n«1»,«0»,70\n,1,«71»\n"
            ]),
        text("h.rr", ["h.rr": rows(0..<9) { "«\(800 + $0)»\n" }]),
        text("i.csv", ["i.csv": "time,rr\n" + rows(1..<8) { "«\($0)»,«1»\n" }]),
        text(
            "j.hrm",
            [
                "j.hrm": "[Params]\nVersion=106\nDate=«20260301»\nStartTime=«12»:00:00\nInterval=238\n[HRData]\n"
                    + rows(0..<6) { "«\(800 + $0)»\n" }
            ]),
        text(
            "k Focus.csv",
            ["k Focus.csv": "timestamp,Focus\n" + rows(0..<4) { "«170000000\($0)500»,«0.5»\n" }]),
        text(
            "sub-01_task-a_events.tsv",
            ["sub-01_task-a_events.tsv": "onset\tduration\ttrial_type\n" + rows(0..<3) { "«\($0)»\t«1»\tgo\n" }]),
        text(
            "",
            [
                "ACC.csv": "«1551453301.0», «1551453301.0», «1551453301.0»\n«32.0», «32.0», «32.0»\n-1,«65»,5\n",
                "BVP.csv": "«1551453301.00»\n«64.000000»\n-0.00\n«1.25»\n", "EDA.csv": "1551453301.0\n«4.0»\n1\n2\n",
                "IBI.csv": "«1551453301.0», IBI\n«1.5»,«0.6»\n«2.5»,0.9\n", "tags.csv": "«1551453311.68»\n1551453318\n",
            ]),
    ]
}
