import Kernels
import Signals

/// The clean seconds of an EEG that a calibration is made on.
struct SubspaceBaseline: Sendable {
    /// The most that the logarithm of a second's root mean square may be above its median, in robust standard
    /// deviations (the default of the EEGLAB plug-in clean_rawdata's window rejection, 5, on what is left).
    private static let largest = 5.0

    private let channels: Int
    /// Which channels were usable in each second told, by its number.
    private var usable: [Int: [Bool]] = [:]
    private var kept: [(usable: [Bool], samples: [[Float]])] = []
    private var madeOf = 0

    init(channels: Int) {
        self.channels = channels
    }

    /// Seconds in which most channels were clean.
    var seconds: Int { kept.isEmpty ? madeOf : kept.count }

    /// What a raw second says of the channels.
    mutating func take(_ second: EEGSecond) {
        guard second.channels.count >= 1, abs(second.onset) < 1e9 else { return }
        usable[Int(second.onset)] = second.channels.map {
            $0.missing == 0 && !($0.isFlat || $0.isClipped || $0.isFast || $0.isHum || $0.isHuge || $0.isPop)
        }
    }

    /// The cleaned samples of a whole second, an array per channel.
    mutating func add(_ samples: [[Float]], second: Seconds) {
        guard abs(second) < 1e9, let said = usable.removeValue(forKey: Int(second)), said.count == channels else {
            return
        }
        let fits = (0..<channels).map { said[$0] && samples[$0].allSatisfy(\.isFinite) }
        if 2 * fits.count(where: \.self) > channels { kept.append((fits, samples)) }
    }

    /// The samples are not needed any more.
    mutating func forget() {
        madeOf = kept.count
        kept.removeAll()
        usable.removeAll()
    }

    /// The channels that were usable in most of the seconds, and the seconds in which all of them were and none was
    /// larger than usual, one after the other; nil where that is less than `least` seconds.
    func clean(least: Seconds, sampleRate: Double) -> (channels: [Int], block: SampleBlock)? {
        let used = (0..<channels).filter { channel in
            4 * kept.count { $0.usable[channel] } >= 3 * kept.count
        }
        guard !used.isEmpty else { return nil }
        let whole = kept.filter { second in used.allSatisfy { second.usable[$0] } }.map { second in
            used.map { second.samples[$0] }
        }
        let sizes = whole.map { second in second.map { logarithm10(max(Self.power($0), 1e-12)) } }
        let limits = used.indices.map { row -> Double in
            let values = sizes.map { $0[row] }
            let spread = Statistics.medianAbsoluteDeviation(values) * Statistics.normalConsistency
            return Statistics.median(values) + Self.largest * spread
        }
        let chosen = whole.indices.filter { second in used.indices.allSatisfy { sizes[second][$0] <= limits[$0] } }
        let frames = chosen.reduce(0) { $0 + whole[$1][0].count }
        guard Double(frames) >= least * sampleRate else { return nil }
        let samples = used.indices.flatMap { row in chosen.flatMap { whole[$0][row] } }
        return (used, SampleBlock(channelCount: used.count, samples: samples))
    }

    private static func power(_ samples: [Float]) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
    }
}
