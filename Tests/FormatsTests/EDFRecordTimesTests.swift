import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Files that other libraries open, whatever the rates and gaps of the recording.
@Suite struct EDFRecordTimesTests {
    /// A recording with random streams, rates as a clock measures them, gaps and markers.
    private static func recording(_ random: inout SplitMix64, streams: Int) -> Recording {
        let kinds: [StreamKind] = [.ecg, .eda, .acceleration]
        let duration = Double.random(in: 8...90, using: &random)
        let made = (0..<streams).map { index in
            var rate = exp(Double.random(in: log(0.5)...log(2_000), using: &random))
            if Int.random(in: 0..<3, using: &random) == 0 { rate = max(1, rate.rounded()) }
            let header = StreamHeader(
                name: "s\(index)", kind: kinds[index],
                channels: (0..<Int.random(in: 1...4, using: &random)).map {
                    Channel(label: "c\(index)\($0)", unit: .microvolts)
                },
                sampleRate: rate)
            let count = max(2, Int(rate * duration))
            let cut = Bool.random(using: &random) ? count : count / 2
            var segments: [Segment] = []
            var onset = Bool.random(using: &random) ? 0 : Double.random(in: 0...3, using: &random)
            for samples in [cut, count - cut] where samples > 0 {
                let values = (0..<samples * header.channels.count).map { _ in Float.random(in: -50...50, using: &random)
                }
                let gap = segments.last.map { Gap(onset: $0.end, duration: onset - $0.end, reason: .deviceLost) }
                let start = SegmentStart(
                    onset: onset, sample: segments.last.map { $0.start.sample + $0.block.frameCount } ?? 0,
                    sampleRate: rate, gap: gap)
                segments.append(
                    Segment(start: start, block: SampleBlock(channelCount: header.channels.count, samples: values)))
                onset += Double(samples) / rate + Double.random(in: 2...20, using: &random)
            }
            return Signals.Stream(header: header, segments: segments)
        }
        let markers = [Marker(onset: 0, label: "start"), Marker(onset: duration * 3, label: "after the end")]
        let start = Timestamp(secondsSince1970: Double.random(in: 1.5e9...1.8e9, using: &random))
        return Recording(header: RecordingHeader(start: start, format: "test"), streams: made, markers: markers)
    }

    /// The start of each data record in ticks of 100 ns, and the ticks a record lasts, both as the file's text says.
    private static func times(_ bytes: [UInt8], bytesPerSample: Int) throws -> (starts: [Int], duration: Int) {
        func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[range], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        func ticks(_ text: String) -> Int? {
            Decimal(string: text).map { NSDecimalNumber(decimal: $0 * 10_000_000).intValue }
        }
        let signals = try #require(Int(text(252..<256)))
        let records = try #require(Int(text(236..<244)))
        let duration = try #require(ticks(text(244..<252)))
        let counts = (0..<signals).compactMap {
            Int(text(256 + signals * 216 + $0 * 8..<256 + signals * 216 + ($0 + 1) * 8))
        }
        let size = counts.reduce(0, +) * bytesPerSample
        let own = (counts.last ?? 0) * bytesPerSample
        let starts = try (0..<records).map { record in
            let end = 256 * (signals + 1) + (record + 1) * size
            let list = bytes[end - own..<end].prefix { $0 != 0x14 }
            return try #require(ticks(String(decoding: list, as: UTF8.self)))
        }
        return (starts, duration)
    }

    @Test(arguments: 0..<60)
    func recordStarts_ofAnyMeasuredRate_areMultiplesOfTheStatedDuration(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let recording = Self.recording(&random, streams: 1)
        let folder = try TemporaryFolder()
        let storage: EDFStorage = seed % 2 == 0 ? .edf : .bdf
        let file = folder.url.appendingPathComponent(storage == .edf ? "a.edf" : "a.bdf")
        let report = try EDFWriter.write(recording, to: file, as: storage)
        #expect(report.format.hasSuffix("+C"))
        let (starts, duration) = try Self.times(
            [UInt8](Data(contentsOf: file)), bytesPerSample: storage == .edf ? 2 : 3)
        for (index, start) in starts.enumerated() { #expect(start - starts[0] == index * duration) }
        let back = try Recording(reading: RecordingFile.open(file))
        let known = recording.streams[0]
        let rate = known.header.sampleRate
        // A sample lies at its time to within half a sample, and a record's duration has seven digits.
        #expect(abs(back.streams[0].header.sampleRate / rate - 1) < 2e-7)
        let lead = known.segments[0].start.onset
        for (own, other) in zip(back.streams[0].segments, known.segments) {
            #expect(own.block.frameCount == other.block.frameCount)
            let shift = abs((own.start.onset - back.streams[0].segments[0].start.onset) - (other.start.onset - lead))
            #expect(shift <= 0.51 / rate + other.start.onset * 2e-7)
            for channel in known.header.channels.indices {
                let step = Float(report.channels[channel].step)
                let pairs = zip(own.block.channel(channel), other.block.channel(channel))
                #expect(pairs.allSatisfy { abs($0 - $1) <= step * 0.51 + 1e-5 })
            }
        }
        #expect(back.markers.map(\.label) == recording.markers.map(\.label))
    }

    /// Without a function that resamples, streams that share no record are refused; their own files still open.
    @Test(.enabled(if: OracleData.has("formats_edf/cases.json")), arguments: 0..<8)
    func files_ofAnyMeasuredRate_openElsewhere(seed: UInt64) throws {
        let oracle = try EDFOracle.load()
        var random = SplitMix64(seed: 1_000 + seed)
        let recording = Self.recording(&random, streams: 1)
        let folder = try TemporaryFolder()
        let storage: EDFStorage = seed % 2 == 0 ? .edf : .bdf
        let file = folder.url.appendingPathComponent(storage == .edf ? "a.edf" : "a.bdf")
        let report = try EDFWriter.write(recording, to: file, as: storage)
        let (edfio, pyedflib) = try oracle.read(file)
        for content in [edfio, pyedflib] {
            #expect(content.signals.map(\.label) == report.channels.map(\.label))
            #expect(content.annotations.contains { $0.text.hasPrefix("start") })
            #expect(content.annotations.contains { $0.text.hasPrefix("after the end") })
        }
        let mne = try oracle.mne(file)
        #expect(mne.channels == report.channels.count)
        #expect(abs(mne.duration - Double(report.recordCount) * report.recordDuration) < 1e-6 * mne.duration)
    }

    @Test func gapsTooLongToFill_makeADiscontinuousFileAndANote() throws {
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "II", unit: .millivolts)], sampleRate: 1_000)
        let values = SampleBlock((0..<2_000).map { Float($0 % 97) })
        let late = 2_000_000.0
        let segments = [
            Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: 1_000), block: values),
            Segment(
                start: SegmentStart(
                    onset: late, sample: 2_000, sampleRate: 1_000,
                    gap: Gap(onset: 2, duration: late - 2, reason: .deviceLost)), block: values),
        ]
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        let recording = Recording(
            header: RecordingHeader(format: "test"), streams: [Signals.Stream(header: header, segments: segments)],
            markers: [])
        let report = try EDFWriter.write(recording, to: file)
        #expect(report.format == "EDF+D" && report.notes.contains { $0.contains("discontinuous") })
        #expect(try Recording(reading: EDFReader(file)).streams[0].segments.map(\.start.onset) == [0, late])
    }
}
