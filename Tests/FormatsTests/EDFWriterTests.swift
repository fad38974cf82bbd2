import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct EDFWriterTests {
    private static let start = Timestamp(year: 2024, month: 5, day: 6, hour: 7, minute: 8, second: 9.125)

    /// A stream of `counts` samples a run, runs beginning at `onsets`.
    private static func stream(
        _ kind: StreamKind, _ rate: Double, _ unit: Signals.Unit = .millivolts, labels: [String] = ["a"],
        runs: [(onset: Double, count: Int)], _ value: (_ channel: Int, _ sample: Int) -> Float
    ) -> Signals.Stream {
        var first = 0
        var segments: [Segment] = []
        for run in runs {
            let samples = labels.indices.flatMap { channel in (0..<run.count).map { value(channel, first + $0) } }
            let gap = segments.last.map { Gap(onset: $0.end, duration: run.onset - $0.end, reason: .deviceLost) }
            let start = SegmentStart(onset: run.onset, sample: first, sampleRate: rate, gap: gap)
            segments.append(Segment(start: start, block: SampleBlock(channelCount: labels.count, samples: samples)))
            first += run.count
        }
        let header = StreamHeader(
            name: kind.rawValue, kind: kind, channels: labels.map { Channel(label: $0, unit: unit) }, sampleRate: rate)
        return Signals.Stream(header: header, segments: segments)
    }

    private static func recording(_ streams: [Signals.Stream], _ markers: [Marker] = []) -> Recording {
        Recording(
            header: RecordingHeader(start: start, subject: "S7", format: "test"), streams: streams, markers: markers)
    }

    private func roundTrip(_ recording: Recording) throws -> (back: Recording, report: EDFWriter.Report) {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        let report = try EDFWriter.write(recording, to: file)
        #expect(folder.names == ["a.edf"])
        return (try Recording(reading: EDFReader(file)), report)
    }

    @Test func twentyFourBitsKeepValuesAsFinelyAsSinglePrecision() throws {
        var random = SplitMix64(seed: 4)
        let values = (0..<2_000).map { _ in Float.random(in: -187.5...187.5, using: &random) }
        let eeg = Self.stream(.eeg, 200, .microvolts, labels: ["Fp1", "Fp2"], runs: [(0, 600), (10, 400)]) {
            $0 == 0 && $1 % 250 == 7 ? .nan : values[$0 * 1_000 + $1]
        }
        let marker = Marker(onset: 1.5, duration: 0.25, label: "go")
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.bdf")
        let report = try EDFWriter.write(Self.recording([eeg], [marker]), to: file, as: .bdf)
        #expect(report.format == "BDF+C" && report.channels.allSatisfy { $0.step < 375.1 / 16_777_000 })
        let back = try Recording(reading: RecordingFile.open(file))
        #expect(back.header.format == "BDF+C" && back.markers == [marker])
        #expect(back.streams[0].segments.map(\.start.onset) == [0, 10])
        for (segment, original) in zip(back.streams[0].segments, eeg.segments) {
            let pairs = Array(zip(segment.block.samples, original.block.samples))
            #expect(pairs.count == original.block.samples.count)
            #expect(pairs.allSatisfy { $0.isNaN == $1.isNaN && ($0.isNaN || abs($0 - $1) <= 375.1 / 16_777_000) })
        }
    }

    @Test func convertersNumbersComeBackToTheBit() throws {
        var random = SplitMix64(seed: 3)
        let numbers = (0..<7_200).map { _ in Int.random(in: -1_024...1_023, using: &random) }
        let ecg = Self.stream(.ecg, 360, labels: ["MLII", "V5"], runs: [(0, 3_600)]) { channel, sample in
            Float(Double(numbers[channel * 3_600 + sample]) * 0.005)
        }
        let acceleration = Self.stream(.acceleration, 32, .g, labels: ["x", "y", "z"], runs: [(0, 320)]) {
            Float(numbers[$0 * 320 + $1] / 8) / 64
        }
        let (back, report) = try roundTrip(Self.recording([ecg, acceleration]))
        #expect(report.channels.allSatisfy { $0.isLossless })
        #expect(back.streams.map(\.header.kind) == [.ecg, .acceleration])
        #expect(back.streams[0].segments.map(\.block) == ecg.segments.map(\.block))
        #expect(back.streams[1].segments.map(\.block) == acceleration.segments.map(\.block))
        #expect(back.header.start == Self.start)
        #expect(back.header.subject == "S7")
        #expect(back.header.duration == 10)
    }

    /// BioSemi's status: what the amplifier tells stands above the 16 bits of the trigger.
    @Test(arguments: [
        (0x18_0000, [0, 0xFF01, 0xFF03]), (0, [0, 0xFFFF]), (-0x60_0000, [0, 1, 2, 255]), (0x100, [0, 0x7F_0000]),
    ])
    func `codes of triggers keep their bits in 24 bits`(base: Int, codes: [Int]) throws {
        let values = (0..<512).map { Float(base + codes[$0 / 16 % codes.count]) }
        let status = Self.stream(.marker, 256, .dimensionless, labels: ["Status"], runs: [(0, 512)]) { values[$1] }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.bdf")
        let report = try EDFWriter.write(Self.recording([status]), to: file, as: .bdf)
        #expect(report.channels.first?.step == 1 && report.channels.first?.isLossless == true)
        let back = try Recording(reading: RecordingFile.open(file)).streams[0].segments[0].block.samples
        #expect(back == values)
    }

    @Test func otherValuesComeBackWithinHalfAStep() throws {
        var random = SplitMix64(seed: 4)
        let eeg = Self.stream(.eeg, 256, .microvolts, labels: ["Fp1"], runs: [(0, 2_560)]) { _, _ in
            Float.random(in: -300.5...211.25, using: &random)
        }
        let (back, report) = try roundTrip(Self.recording([eeg]))
        #expect(!report.channels[0].isLossless)
        #expect(report.channels[0].step < 512 / 65_000.0)
        let own = back.streams[0].segments[0].block.samples
        for (a, b) in zip(own, eeg.segments[0].block.samples) {
            #expect(abs(a - b) <= Float(report.channels[0].step) * 0.501)
        }
    }

    @Test func gapsAreKept() throws {
        let runs = [(onset: 0.5, count: 250), (onset: 10.3, count: 371), (onset: 3_600.25, count: 1)]
        let ecg = Self.stream(.ecg, 250, runs: runs) { Float($1 % 17) }
        let (back, report) = try roundTrip(Self.recording([ecg]))
        #expect(report.format == "EDF+C")
        // A continuous file has one grid of sampling moments.
        #expect(report.notes.contains { $0.contains("samples are moved by up to 0.002") })
        // The file starts with the first sample.
        #expect(back.header.start == Self.start + 0.5)
        let segments = back.streams[0].segments
        #expect(segments.map(\.block) == ecg.segments.map(\.block))
        for (own, run) in zip(segments, runs) { #expect(abs(own.start.onset - (run.onset - 0.5)) <= 0.002 + 1e-6) }
        #expect(segments[1].start.gap?.reason == .fileGap)
        #expect(abs((segments[1].start.gap?.duration ?? 0) - 8.8) <= 0.002 + 1e-6)
    }

    @Test func streamsMayStartLateEndEarlyAndPauseAlone() throws {
        let bvp = Self.stream(.bvp, 64, .dimensionless, runs: [(0, 64 * 30 + 17)]) { Float($1 % 100) }
        let hr = Self.stream(.heartRate, 1, .beatsPerMinute, runs: [(10, 5), (20, 3)]) { 60 + Float($1) }
        let (back, report) = try roundTrip(Self.recording([bvp, hr]))
        #expect(report.format == "EDF+C")
        #expect(back.streams[0].segments.map(\.block) == bvp.segments.map(\.block))
        #expect(back.streams[1].segments.map(\.block) == hr.segments.map(\.block))
        #expect(back.streams[1].segments.map(\.start.onset) == [10, 20])
        #expect(back.header.duration == 30 + 17 / 64.0)
        #expect(back.markers.isEmpty)
    }

    @Test func missingSamplesStayMissing() throws {
        let eeg = Self.stream(.eeg, 100, .microvolts, labels: ["Fp1", "Fp2"], runs: [(0, 1_000)]) { channel, sample in
            if (400..<650).contains(sample) { return .nan }
            if channel == 0, (100..<150).contains(sample) || sample == 999 { return .nan }
            if channel == 1, sample == 7 { return .infinity }
            return Float(sample % 50)
        }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        let report = try EDFWriter.write(Self.recording([eeg]), to: file)
        #expect(report.notes == ["Fp2: 1 infinite values are written as missing"])
        let back = try Recording(reading: EDFReader(file)).streams[0]
        // 2.5 s without any value: a gap.
        #expect(back.segments.map(\.block.frameCount) == [400, 350])
        #expect(back.segments[1].start.onset == 6.5)
        for channel in 0..<2 {
            let samples = back.segments[0].block.channel(channel) + back.segments[1].block.channel(channel)
            let expected = eeg.segments[0].block.channel(channel)
            for (own, known) in zip(samples, expected[..<400] + expected[650...]) {
                #expect(own == known || own.isNaN && !known.isFinite)
            }
        }
    }

    @Test func otherReadersSeeMissingStretchesAsAnnotations() throws {
        let hr = Self.stream(.heartRate, 1, .beatsPerMinute, runs: [(3, 5)]) { 60 + Float($1) }
        let bvp = Self.stream(.bvp, 64, .dimensionless, runs: [(0, 640)]) { Float($1) }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        try EDFWriter.write(Self.recording([bvp, hr]), to: file)
        let bytes = try Data(contentsOf: file)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("+0.125\u{15}3\u{14}BAD_missing@@a 2\u{14}"))
        #expect(text.contains("+8.125\u{15}2\u{14}BAD_missing@@a 2\u{14}"))
    }

    @Test func markersWithoutALabelAreNotLost() throws {
        let eeg = Self.stream(.eeg, 200, .microvolts, runs: [(0, 800)]) { Float($1 % 50) }
        let markers = ["go", "", ""].enumerated().map { Marker(onset: Double($0) + 0.5, label: $1) }
        let (back, report) = try roundTrip(Self.recording([eeg], markers))
        #expect(back.markers.map(\.onset) == [0.5, 1.5, 2.5] && back.markers.map(\.label) == ["go", "n/a", "n/a"])
        #expect(report.notes.contains { $0.hasPrefix("2 markers have no label and are called n/a") })
    }

    @Test func markersComeBack() throws {
        let ecg = Self.stream(.ecg, 250, labels: ["II"], runs: [(0, 2_500)]) { Float($1 % 17) }
        let eda = Self.stream(.eda, 4, .microsiemens, labels: ["EDA"], runs: [(0, 40)]) { Float($1) }
        var markers = (0..<200).map { Marker(onset: 2 + Double($0) / 128, label: "burst \($0)") }
        markers.insert(Marker(onset: -1.5, duration: 0.25, label: "vor dem Anfang ü"), at: 0)
        markers.append(Marker(onset: 9.5, duration: 100, label: "late", stream: "eda"))
        markers.append(Marker(onset: 4_000, label: "far"))
        let (back, _) = try roundTrip(Self.recording([ecg, eda], markers))
        #expect(back.markers.count == markers.count)
        for (own, known) in zip(back.markers, markers) {
            #expect(abs(own.onset - known.onset) < 1e-6)
            #expect(abs(own.duration - known.duration) < 1e-6)
            #expect(own.label == known.label)
            #expect(own.stream == known.stream)
        }
    }

    @Test func markersAloneMakeAFile() throws {
        let (back, report) = try roundTrip(Self.recording([], [Marker(onset: 1, duration: 30, label: "Sleep stage W")]))
        #expect(back.markers.map(\.label) == ["Sleep stage W"])
        #expect(report.recordDuration == 0)
    }

    private static let lengths: [([Double], Double)] = [
        ([250, 4], 1), ([31.25], 4), ([500.0 / 3], 3), ([64, 33.5], 2), ([12.8, 100], 5), ([1.0 / 30], 30),
    ]

    @Test(arguments: lengths)
    func recordsHoldWholeNumbersOfSamples(rates: [Double], duration: Double) throws {
        let kinds: [StreamKind] = [.bvp, .eda]
        let streams = zip(rates, kinds).map { rate, kind in
            Self.stream(kind, rate, .dimensionless, runs: [(0, Int((rate * 240).rounded()))]) { Float($1 % 50) }
        }
        let (back, report) = try roundTrip(Self.recording(streams))
        #expect(abs(report.recordDuration - duration) < 1e-9)
        for (own, known) in zip(back.streams, streams) {
            #expect(own.segments.map(\.block) == known.segments.map(\.block))
            #expect(abs(own.header.sampleRate / known.header.sampleRate - 1) < 1e-7)
        }
    }

    @Test func impossibleRatesAreRefusedAndLeaveNothing() throws {
        let folder = try TemporaryFolder()
        let streams = zip([Double.pi * 20, 100, 37.123_456_7], [StreamKind.bvp, .eda, .ecg]).map { rate, kind in
            Self.stream(kind, rate, runs: [(0, 500)]) { Float($1) }
        }
        let file = folder.url.appendingPathComponent("a.edf")
        let message = formatError { try EDFWriter.write(Self.recording(streams), to: file) }
        #expect(message?.contains("no data record holds whole numbers of samples") == true)
        #expect(folder.names.isEmpty)
    }

    @Test func valuesTooLargeForTheHeaderAreRefused() throws {
        let folder = try TemporaryFolder()
        let huge = Self.stream(.other, 100, runs: [(0, 500)]) { Float($1) * 1e9 }
        let message = formatError {
            try EDFWriter.write(Self.recording([huge]), to: folder.url.appendingPathComponent("a.edf"))
        }
        #expect(message?.contains("'a'") == true && message?.contains("8 characters") == true)
        #expect(folder.names.isEmpty)
    }

    @Test func smallVoltagesAreWrittenInMicrovolts() throws {
        let eeg = Self.stream(.eeg, 100, .volts, labels: ["Cz"], runs: [(0, 500)]) { Float($1 % 77) * 0.5e-6 }
        let (back, report) = try roundTrip(Self.recording([eeg]))
        #expect(report.channels[0].unit == .microvolts)
        let samples = back.streams[0].segments[0].block.samples
        #expect(samples.indices.allSatisfy { abs(samples[$0] - Float($0 % 77) * 0.5) < 1e-4 })
    }

    @Test func constantAndSingleValues() throws {
        let constant = Self.stream(.temperature, 4, .degreesCelsius, runs: [(0, 40)]) { _, _ in 36.625 }
        let single = Self.stream(.ecg, 100, runs: [(0, 1)]) { _, _ in -0.25 }
        let (back, _) = try roundTrip(Self.recording([constant, single]))
        #expect(back.streams[0].segments[0].block == constant.segments[0].block)
        #expect(back.streams[1].segments[0].block == single.segments[0].block)
    }

    @Test func labelsBecomeAsciiUniqueAndTellTheKind() throws {
        let labels = ["Ohrläppchen links außen", "Ohrläppchen links innen", "", "EDF Annotations"]
        let bvp = Self.stream(.bvp, 10, .dimensionless, labels: labels, runs: [(0, 100)]) { Float($0 * 100 + $1) }
        let (back, report) = try roundTrip(Self.recording([bvp]))
        #expect(Set(report.channels.map(\.label)).count == 4)
        #expect(report.channels.allSatisfy { $0.label.utf8.count <= 16 && $0.label.utf8.allSatisfy { $0 < 0x7F } })
        #expect(back.streams.map(\.header.kind) == [.bvp])
        #expect(back.streams[0].segments.map(\.block) == bvp.segments.map(\.block))
    }

    @Test func eyesAmongElectrodesStayEyesAndNewNamesAreTold() throws {
        let long = "a label that is much too long"
        let eeg = Self.stream(.eeg, 100, .microvolts, labels: ["Fp1", "EOG left", long], runs: [(0, 200)]) {
            Float($0 * 7 + $1)
        }
        let (back, report) = try roundTrip(Self.recording([eeg]))
        let labels = back.streams.flatMap { $0.header.channels.map(\.label) }
        #expect(labels.contains("EOG left") && report.channels.map(\.label).contains("EOG left"))
        let note = try #require(report.notes.first { $0.contains("names in the file") })
        #expect(note.contains(long) && !note.contains("EOG"))
    }

    @Test func irregularStreamsAreReported() throws {
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let ibi = Signals.Stream(header: header, values: [TimedValue(onset: 1, values: [0.8])])
        let ecg = Self.stream(.ecg, 250, labels: ["II"], runs: [(0, 2_500)]) { Float($1 % 17) }
        let (back, report) = try roundTrip(Self.recording([ibi, ecg]))
        #expect(back.streams.map(\.header.kind) == [.ecg])
        #expect(report.notes == ["ibi: irregular values do not fit into EDF and are left out"])
    }

    @Test(.enabled(if: OracleData.has("formats_edf/cases.json")))
    func pyedflibAndEdfioReadTheSame() throws {
        let oracle = try EDFOracle.load()
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        var random = SplitMix64(seed: 9)
        let ecg = Self.stream(.ecg, 360, labels: ["MLII", "V5"], runs: [(0, 3_600)]) {
            Float(($1 * ($0 + 3)) % 2_000 - 1_000) * 0.005
        }
        let eeg = Self.stream(.eeg, 128, .microvolts, labels: ["Cz"], runs: [(0, 1_280)]) { _, _ in
            Float.random(in: -80...95, using: &random)
        }
        let markers = [Marker(onset: 1.25, duration: 0.5, label: "Tür"), Marker(onset: 9, label: "b")]
        let report = try EDFWriter.write(Self.recording([ecg, eeg], markers), to: file)
        let (edfio, pyedflib) = try oracle.read(file)
        let back = try Recording(reading: EDFReader(file))
        for content in [edfio, pyedflib] {
            expectSame(back, content) { signal in (signal.samples.map(abs).max() ?? 0) * 1.2e-7 + 1e-9 }
            // And the same as what was written.
            let written = Self.recording([ecg, eeg], markers)
            expectSame(written, content) { signal in
                (report.channels.first { $0.label == signal.label }?.step ?? 0) * 0.501
            }
        }
    }

    @Test(
        .enabled(if: RealData.has("edf_bdf/mne/test.edf")),
        arguments: [
            "edf_bdf/mne/test.edf", "edf_bdf/edfio/short_psg.edf", "edf_bdf/mne/test.bdf", "eegmat/Subject07_2.edf",
            "other_wearables/faros/testfile_read.EDF", "edf_bdf/pyedflib/test_utf8.edf", "e4_stress_predict/S28.zip",
            "e4_devicely", "mitdb/100.hea",
        ])
    func realRecordingsComeBack(path: String) throws {
        guard RealData.has(path) else { return }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        let url = RealData.url(path)
        let report = try EDFWriter.write(to: file) { try RecordingFile.open(url) }
        let known = try Recording(reading: RecordingFile.open(url))
        let back = try Recording(reading: EDFReader(file))
        let regular = known.streams.filter { $0.header.sampleRate > 0 }
        #expect(back.streams.map(\.header.kind) == regular.map(\.header.kind))
        var channel = 0
        for (own, known) in zip(back.streams, regular) {
            #expect(own.segments.map(\.block.frameCount) == known.segments.map(\.block.frameCount))
            for index in known.header.channels.indices {
                let step = report.channels[channel].step
                channel += 1
                for (a, b) in zip(own.segments, known.segments) {
                    #expect(abs(a.start.onset - b.start.onset) < 1e-6)
                    let pairs = zip(a.block.channel(index), b.block.channel(index))
                    let worst = pairs.reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
                    #expect(Double(worst) <= step * 0.51 + Double(worst.ulp), "\(known.header.channels[index].label)")
                }
            }
        }
        #expect(back.markers.count == known.markers.count)
    }

    /// One spike sets the scale: the signal beneath it is gone, which is told.
    @Test func aScaleThatIsCoarseForTheSignalIsTold() throws {
        var random = SplitMix64(seed: 9)
        let values = (0..<4_000).map { _ in Float.random(in: -1.7...1.7, using: &random) }
        func report(_ spike: Float, as storage: EDFStorage) throws -> [String] {
            let eeg = Self.stream(.eeg, 250, .microvolts, labels: ["Fp1"], runs: [(0, 4_000)]) {
                $1 == 1_000 ? spike : values[$1]
            }
            let folder = try TemporaryFolder()
            return try EDFWriter.write(
                Self.recording([eeg]), to: folder.url.appendingPathComponent("a.edf"), as: storage
            ).notes
        }
        let notes = try report(3e6, as: .edf)
        #expect(notes.count == 1 && notes[0].hasPrefix("Fp1: is kept in steps of") && notes[0].contains(".bdf or .xdf"))
        #expect(try report(3e6, as: .bdf).contains { $0.hasSuffix(".xdf keeps more") })
        #expect(try report(300, as: .edf).isEmpty && report(3_000, as: .bdf).isEmpty)
    }

    @Test func timesThatMoveForWantOfADateAreTold() throws {
        let eda = Self.stream(.eda, 4, .microsiemens, labels: ["EDA"], runs: [(2.5, 40)]) { Float($1) }
        func notes(_ start: Timestamp?) throws -> [String] {
            let recording = Recording(header: RecordingHeader(start: start, format: "test"), streams: [eda])
            return try roundTrip(recording).report.notes
        }
        #expect(try notes(Self.start).isEmpty)
        #expect(try notes(nil).contains { $0.contains("2.5 s less than in the recording") })
    }

    @Test(arguments: [("°F", "degF", "°F", false), ("arbitrary units", "arbitrar", "arbitrar", true)])
    func unitsThatDoNotFitAreShortenedAndTold(unit: String, spelled: String, back: String, isTold: Bool) throws {
        let stream = Self.stream(.other, 4, Unit(unit), labels: ["x"], runs: [(0, 40)]) { Float($1) }
        let (read, report) = try roundTrip(Self.recording([stream]))
        #expect(read.streams[0].header.channels[0].unit.rawValue == back)
        #expect(report.notes.contains { $0.contains("as \(spelled)") } == isTold)
    }
}
