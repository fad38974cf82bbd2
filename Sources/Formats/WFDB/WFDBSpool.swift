import Foundation
import Signals

/// The samples of one stream on their way into a signal file: channels interleaved in a temporary file without a name,
/// with the range of each.
final class WFDBSpool {
    private let stream: StreamHeader
    private let samplesPerFrame: Int
    private let gains: [Double]
    private let file: UnsafeMutablePointer<FILE>
    private var ranges: [ClosedRange<Float>?]
    /// Values of each channel spread over the whole recording.
    private var values: [ValueSample]
    private var infinities = 0
    /// How far samples come to lie from their own times, and the run that goes on: its start and its first place.
    private var drift: Seconds = 0
    private var run: (start: SegmentStart, place: Int)?
    /// Samples of each channel so far.
    private var count = 0
    private static let longest = 1 << 36
    /// By how much the stream begins before time 0, where a record begins.
    private var early: Seconds = 0

    init(_ stream: StreamHeader, samplesPerFrame: Int, gains: [Double], folder: URL) throws {
        self.stream = stream
        self.gains = gains
        self.samplesPerFrame = samplesPerFrame
        ranges = Array(repeating: nil, count: stream.channels.count)
        values = Array(repeating: ValueSample(), count: stream.channels.count)
        // Without a name it goes away with the process, however that ends.
        var path = Array(folder.appendingPathComponent(".marey-XXXXXX").path.utf8CString)
        let descriptor = mkstemp(&path)
        if descriptor >= 0 { unlink(path) }
        guard descriptor >= 0, let file = fdopen(descriptor, "w+") else {
            throw FormatError(folder, "cannot be written to: \(String(cString: strerror(errno)))")
        }
        self.file = file
    }

    deinit {
        fclose(file)
    }

    var frameCount: Int { (count + samplesPerFrame - 1) / samplesPerFrame }

    /// Fills up to the place of a new run. What begins before time 0 stands at 0.
    func begin(_ start: SegmentStart, _ url: URL) throws {
        let place = (start.onset * stream.sampleRate).rounded()
        guard place < Double(Self.longest), place - Double(count) <= Double(Plausible.missingSamples) else {
            throw FormatError(
                url,
                "the stream \(stream.name) has a gap before \(start.onset) s that is longer than a record can have",
                advice: "is a clock wrong? at most \(Plausible.missingSamples) samples may be missing in a row")
        }
        early = max(early, -start.onset)
        if place > Double(count) {
            let missing = [Float](repeating: .nan, count: stream.channels.count * 4096)
            while count < Int(place) {
                let step = min(4096, Int(place) - count)
                try put(missing, step * stream.channels.count)
                count += step
            }
        }
        endRun()
        var placed = start
        placed.onset = max(0, start.onset)
        run = (placed, count)
        drift = max(drift, abs(placed.onset - Double(count) / stream.sampleRate))
    }

    /// The samples of a run come at its own rate, those of the record at the stream's.
    private func endRun() {
        guard let run else { return }
        let last = max(0, count - 1 - run.place)
        drift = max(drift, abs(run.start.onset(ofOffset: last) - Double(run.place + last) / stream.sampleRate))
    }

    func append(_ block: SampleBlock) throws {
        let channels = block.channelCount
        var interleaved = [Float](repeating: .nan, count: block.samples.count)
        for channel in 0..<channels {
            var (low, high) = (Float.infinity, -Float.infinity)
            let base = channel * block.frameCount
            for frame in 0..<block.frameCount {
                let value = block.samples[base + frame]
                guard value.isFinite else {
                    if value.isInfinite { infinities += 1 }
                    continue
                }
                values[channel].take(value)
                low = min(low, value)
                high = max(high, value)
                interleaved[frame * channels + channel] = value
            }
            guard low <= high else { continue }
            let old = ranges[channel]
            ranges[channel] = min(low, old?.lowerBound ?? low)...max(high, old?.upperBound ?? high)
        }
        try put(interleaved, interleaved.count)
        count += block.frameCount
    }

    private func put(_ values: [Float], _ count: Int) throws {
        guard fwrite(values, MemoryLayout<Float>.size, count, file) == count else { throw failure() }
    }

    private func failure() -> FormatError {
        FormatError(stream.name, "the temporary file cannot be used: \(String(cString: strerror(errno)))")
    }

    // MARK: the signal file

    /// Writes `frames` frames and returns the header's lines for this stream.
    func write(to target: AtomicFile, named name: String, frames: Int, _ format: WFDBSignalFormat) throws -> [String] {
        let scales = ranges.enumerated().map { index, range in
            WFDBQuantizer(range, format, preferred: index < gains.count ? gains[index] : nil)
        }
        endRun()
        describe(scales)
        let channels = scales.count
        var sums = [Int32](repeating: 0, count: channels)
        var initial = [Int32](repeating: 0, count: channels)
        var encoder = WFDBSampleEncoder(format)
        rewind(file)
        let framesPerBlock = max(1, 8192 / (samplesPerFrame * channels))
        var values = [Float](repeating: .nan, count: framesPerBlock * samplesPerFrame * channels)
        var frame = 0
        while frame < frames {
            let block = min(framesPerBlock, frames - frame)
            let wanted = block * samplesPerFrame * channels
            let left = max(0, count * channels - frame * samplesPerFrame * channels)
            let there = min(wanted, left)
            guard fread(&values, MemoryLayout<Float>.size, there, file) == there else { throw failure() }
            for place in there..<wanted { values[place] = .nan }
            for offset in 0..<block {
                for channel in 0..<channels {
                    for sub in 0..<samplesPerFrame {
                        let value = values[(offset * samplesPerFrame + sub) * channels + channel]
                        let sample = scales[channel].sample(value)
                        if frame + offset + sub == 0 { initial[channel] = sample }
                        sums[channel] &+= sample
                        encoder.append(sample)
                    }
                }
            }
            try target.write(encoder.take())
            frame += block
        }
        try target.write(encoder.finish())
        let perFrame = samplesPerFrame > 1 ? "x\(samplesPerFrame)" : ""
        return stream.channels.enumerated().map { index, channel in
            let scale = scales[index]
            let sum = Int16(truncatingIfNeeded: sums[index])
            return "\(name) \(format.rawValue)\(perFrame) \(WFDBWriter.number(scale.gain))(\(scale.baseline))"
                + "/\(Self.unit(channel.unit)) \(format == .format212 ? 12 : 16) 0 \(initial[index]) \(sum) 0 "
                + description(channel)
        }
    }

    /// A description from which the kind can be told again.
    private func description(_ channel: Channel) -> String {
        let label = channel.label.split(whereSeparator: \.isNewline).joined(separator: " ")
        let isTold = SignalKind.kind(label: label, transducer: "", unit: channel.unit) == stream.kind
        let isPlain = isTold || stream.kind == .other || SignalKind.isBesideEEG(label)
        return isPlain ? label : "\(stream.kind.rawValue.uppercased()) \(label)"
    }

    /// What a user should know of how the samples are kept, once they are written.
    private(set) var notes: [String] = []

    private func describe(_ scales: [WFDBQuantizer]) {
        let renamed = stream.channels.map { ($0.label, description($0)) }.filter { $0 != $1 }
        if !renamed.isEmpty {
            notes.append("names in the file: " + renamed.map { "\($0) as \($1)" }.joined(separator: ", "))
        }
        if drift * stream.sampleRate > 0.01 {
            notes.append(
                "\(stream.name): samples are moved by up to \(Float(drift)) s onto the even times of the record")
        }
        if early * stream.sampleRate > 0.5 {
            notes.append(
                "\(stream.name): begins \(Float(early)) s before time 0, where a record begins, and is moved there")
        }
        if infinities > 0 { notes.append("\(stream.name): \(infinities) infinite values are written as missing") }
        for (place, channel) in stream.channels.enumerated() where !scales[place].isPreferred {
            let note = values[place].noteOfStep(
                1 / scales[place].gain, of: channel.label, in: channel.unit, finer: ".bdf or .xdf")
            if let note { notes.append(note) }
        }
    }

    /// A unit as one word.
    private static func unit(_ unit: Signals.Unit) -> String {
        switch unit {
        case .unknown: "?"
        case .dimensionless: "NU"
        case .degreesCelsius: "degC"
        default:
            unit.rawValue.replacingOccurrences(of: "µ", with: "u").replacingOccurrences(of: "²", with: "^2")
                .replacingOccurrences(of: " ", with: "_")
        }
    }
}

/// The gain and baseline for a channel whose values lie in a known range.
struct WFDBQuantizer {
    let gain: Double
    let baseline: Int
    /// Whether the gain is the one that the values were read with.
    let isPreferred: Bool
    private let missing: Int32
    private let limit: Double

    init(_ range: ClosedRange<Float>?, _ format: WFDBSignalFormat, preferred: Double?) {
        missing = format.missing ?? 0
        limit = Double(-(missing + 1))
        guard let range else {
            gain = 1
            baseline = 0
            isPreferred = false
            return
        }
        let (low, high) = (Double(range.lowerBound), Double(range.upperBound))
        // Without an offset where that loses nothing to speak of.
        let reach = max(abs(low), abs(high))
        let isCentred = high - low > 0.5 * reach
        let width = isCentred ? 2 * reach : high - low
        let largest = (2 * limit - 2) / max(width, reach * 1e-4, 1e-30)
        let fits = preferred.map { abs($0) <= largest } ?? false
        isPreferred = fits
        let gain = fits ? preferred ?? 1 : Self.roundGain(atMost: largest)
        self.gain = gain
        baseline = isCentred ? 0 : -Int(((low + high) / 2 * gain).rounded())
    }

    /// The largest of 1, 2, 5, 10, 20, … (and their parts) that is at most `limit`.
    private static func roundGain(atMost limit: Double) -> Double {
        let exponent = Int(Foundation.log10(limit).rounded(.down))
        let power = Double("1e\(exponent)") ?? 1
        return [5, 2, 1].map { $0 * power }.first { $0 <= limit } ?? power / 2
    }

    /// The number to store for a value.
    func sample(_ value: Float) -> Int32 {
        guard value.isFinite else { return missing }
        let scaled = (Double(value) * gain).rounded() + Double(baseline)
        return Int32(max(-limit, min(limit, scaled)))
    }
}

/// Packs samples into bytes.
struct WFDBSampleEncoder {
    private let format: WFDBSignalFormat
    private var bytes: [UInt8] = []
    /// The first of two samples of format 212.
    private var held: UInt32?

    init(_ format: WFDBSignalFormat) {
        self.format = format
    }

    mutating func append(_ sample: Int32) {
        let bits = UInt32(bitPattern: sample)
        if format == .format16 {
            bytes.append(UInt8(bits & 0xFF))
            bytes.append(UInt8(bits >> 8 & 0xFF))
        } else if let first = held {
            bytes.append(UInt8(first & 0xFF))
            bytes.append(UInt8(first >> 8 & 0x0F | bits >> 4 & 0xF0))
            bytes.append(UInt8(bits & 0xFF))
            held = nil
        } else {
            held = bits
        }
    }

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// What is left: an odd last sample of format 212 takes two bytes and one of padding.
    mutating func finish() -> [UInt8] {
        if held != nil { append(0) }
        return take()
    }
}
