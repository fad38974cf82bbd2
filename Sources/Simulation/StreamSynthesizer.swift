import Kernels
import Signals

/// Makes one stream of a simulated recording, block after block: waves, then noise, then faults.
struct StreamSynthesizer: Sendable {
    let header: StreamHeader
    let frameCount: Int
    /// Stretches of frames without samples.
    let gaps: [Range<Int>]
    private var waves: Waves
    private let peakToPeak: [Double]
    private var noise: [[(source: NoiseSource, scale: Double)]]
    private var faults: [FaultPainter]
    private var position = 0

    private enum Waves: Sendable {
        case ecg(ECGSignal)
        case bvp(BVPSignal)
    }

    init(ecg: ECGParameters, _ parameters: SimulationParameters, faults: [Fault]) {
        let signal = ECGSignal(
            ecg, rhythm: HeartRhythm(parameters.rhythm, seed: parameters.seed),
            respirationRate: parameters.rhythm.variability.respirationRate)
        let channels = ecg.leads.map { Channel(label: $0.label, unit: .millivolts) }
        self.init(
            .ecg(signal), name: "ecg", kind: .ecg, channels, rate: ecg.sampleRate,
            peakToPeak: ecg.leads.map(\.peakToPeak), noise: parameters.ecgNoise, parameters, faults)
    }

    init(bvp: BVPParameters, _ parameters: SimulationParameters, faults: [Fault]) {
        let signal = BVPSignal(
            bvp, rhythm: HeartRhythm(parameters.rhythm, seed: parameters.seed),
            respirationRate: parameters.rhythm.variability.respirationRate)
        self.init(
            .bvp(signal), name: "bvp", kind: .bvp, [Channel(label: "BVP", unit: .dimensionless)],
            rate: bvp.sampleRate, peakToPeak: [bvp.amplitude], noise: parameters.bvpNoise, parameters, faults)
    }

    private init(
        _ waves: Waves, name: String, kind: StreamKind, _ channels: [Channel], rate: Double, peakToPeak: [Double],
        noise levels: [NoiseLevel], _ parameters: SimulationParameters, _ faults: [Fault]
    ) {
        self.waves = waves
        self.peakToPeak = peakToPeak
        let frames = Int((parameters.duration * rate).rounded())
        let mine = faults.filter { $0.stream == kind }
        gaps = Self.merged(mine.filter { $0.kind == .gap }.map { $0.frames(sampleRate: rate) }, within: frames)
        frameCount = frames
        header = StreamHeader(
            name: name, kind: kind, channels: channels, sampleRate: rate,
            frameCount: frames - gaps.map(\.count).reduce(0, +))
        noise = channels.indices.map { channel in
            levels.enumerated().map { index, level in
                let label = "\(name) \(channel) \(index)"
                let source = NoiseSource(level.kind, sampleRate: rate, seed: parameters.seed, label: label)
                return (source, NoiseSource.rms(snr: level.snr, peakToPeak: peakToPeak[channel]))
            }
        }
        self.faults = mine.filter { $0.kind != .gap }.map {
            FaultPainter($0, sampleRate: rate, seed: parameters.seed, channelCount: channels.count)
        }
    }

    /// The next `count` frames, or as many as are left; gaps are filled with what would have been there.
    mutating func next(_ count: Int) -> (frames: Range<Int>, channels: [[Double]]) {
        let frames = position..<Swift.min(position + count, frameCount)
        position = frames.upperBound
        var channels = clean(frames)
        for channel in channels.indices {
            for index in noise[channel].indices {
                let scale = noise[channel][index].scale
                noise[channel][index].source.add(to: &channels[channel], scale: scale)
            }
        }
        for index in faults.indices { faults[index].paint(&channels, frames: frames, peakToPeak: peakToPeak) }
        faults.removeAll { $0.frames.upperBound <= frames.upperBound }
        return (frames, channels)
    }

    private mutating func clean(_ frames: Range<Int>) -> [[Double]] {
        switch waves {
        case .ecg(var signal):
            defer { waves = .ecg(signal) }
            return signal.render(frames)
        case .bvp(var signal):
            defer { waves = .bvp(signal) }
            return signal.render(frames)
        }
    }

    private static func merged(_ ranges: [Range<Int>], within count: Int) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let range = range.clamped(to: 0..<count)
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else if !range.isEmpty {
                merged.append(range)
            }
        }
        return merged
    }
}

/// Spoils the samples of one fault.
struct FaultPainter: Sendable {
    let frames: Range<Int>
    private let kind: Fault.Kind
    private let sampleRate: Double
    private var noise: [NoiseSource]
    private var held: [Double]
    private let sign: Double

    init(_ fault: Fault, sampleRate: Double, seed: UInt64, channelCount: Int) {
        kind = fault.kind
        frames = fault.frames(sampleRate: sampleRate)
        self.sampleRate = sampleRate
        held = [Double](repeating: 0, count: channelCount)
        let label = "\(fault.stream.rawValue) \(fault.onset)"
        var random = RandomSource(seed: seed, "sign \(label)")
        sign = random.uniform() < 0.5 ? -1 : 1
        let noiseKind: NoiseKind? = kind == .motion ? .motion : (kind == .muscle ? .muscle : nil)
        noise =
            noiseKind.map { noiseKind in
                (0..<channelCount).map {
                    NoiseSource(noiseKind, sampleRate: sampleRate, seed: seed, label: "\(label) \($0)")
                }
            } ?? []
    }

    /// Spoils the part of `block` that the fault covers; blocks must follow one another.
    mutating func paint(_ channels: inout [[Double]], frames block: Range<Int>, peakToPeak: [Double]) {
        let covered = frames.clamped(to: block)
        for channel in channels.indices {
            if kind == .flat, block.contains(frames.lowerBound - 1) {
                held[channel] = channels[channel][frames.lowerBound - 1 - block.lowerBound]
            } else if kind == .flat, frames.lowerBound == 0, block.lowerBound == 0 {
                held[channel] = channels[channel].first ?? 0
            }
            guard !covered.isEmpty else { continue }
            let places = covered.lowerBound - block.lowerBound..<covered.upperBound - block.lowerBound
            spoil(&channels[channel], places, first: covered.lowerBound, channel, peakToPeak[channel])
        }
    }

    private mutating func spoil(
        _ samples: inout [Double], _ places: Range<Int>, first: Int, _ channel: Int, _ size: Double
    ) {
        switch kind {
        case .gap: break
        case .missing: for place in places { samples[place] = .nan }
        case .flat: for place in places { samples[place] = held[channel] }
        case .railed: for place in places { samples[place] = sign * 5 * size }
        case .clipped:
            for place in places { samples[place] = Swift.min(Swift.max(4 * samples[place], -1.5 * size), 1.5 * size) }
        case .electrodePop:
            let decay = 5 / Double(frames.count)
            for place in places {
                let age = Double(first - frames.lowerBound + place - places.lowerBound)
                samples[place] += sign * 4 * size * Elementary.exp(-age * decay)
            }
        case .motion, .muscle:
            let scale = NoiseSource.rms(snr: kind == .motion ? -10 : -6, peakToPeak: size)
            var added = [Double](repeating: 0, count: places.count)
            noise[channel].add(to: &added, scale: scale)
            for place in places { samples[place] += added[place - places.lowerBound] }
        }
    }
}
