public import Signals

/// One sample of analysed skin conductance.
public struct ElectrodermalSample: Hashable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// The conductance as recorded, averaged to the working rate, µS.
    public var raw: Float
    /// The same, smoothed, µS.
    public var conductance: Float
    /// The slow component, µS: the skin conductance level. NaN where it cannot be told, as for an artefact.
    public var tonic: Float
    /// The fast component, µS: the responses. NaN where it cannot be told, as for an artefact.
    public var phasic: Float
    /// Whether it cannot be skin conductance, or lies next to what cannot.
    public var isArtefact: Bool

    /// A sample; not a number where a component is not known.
    public init(onset: Seconds, raw: Float, conductance: Float, tonic: Float, phasic: Float, isArtefact: Bool) {
        (self.onset, self.raw, self.conductance) = (onset, raw, conductance)
        (self.tonic, self.phasic, self.isArtefact) = (tonic, phasic, isArtefact)
    }

    /// Makes it an artefact, of which no component can be told.
    public mutating func markArtefact() { (isArtefact, tonic, phasic) = (true, .nan, .nan) }
}

/// Two samples are the same where their values are to the bit, those that cannot be told included.
extension ElectrodermalSample {
    private var bits: SIMD4<UInt32> {
        SIMD4(raw.bitPattern, conductance.bitPattern, tonic.bitPattern, phasic.bitPattern)
    }

    /// Whether time, values and mark are the same.
    public static func == (one: ElectrodermalSample, other: ElectrodermalSample) -> Bool {
        one.onset == other.onset && one.bits == other.bits && one.isArtefact == other.isArtefact
    }

    /// Hashes time, values and mark.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(onset)
        hasher.combine(bits)
        hasher.combine(isArtefact)
    }
}

/// What becomes known of skin conductance.
public enum ElectrodermalOutput: Hashable, Sendable {
    case sample(ElectrodermalSample)
    case response(SkinConductanceResponse)
}

/// Samples of skin conductance in µS in; tonic and phasic samples at a working rate of 4 to 8 Hz, and responses, out.
///
/// Samples and responses each come in order of time; a response comes seconds after it is over, samples a few at a
/// time once their components are known. Samples that are not finite are missing: nothing is told of them. Up to
/// `longestHole` seconds of them, too short to hide a response, the search for responses bridges by a line; more end a run as a
/// gap does, and nothing is computed across.
public struct ElectrodermalStage: Stage {
    /// What is computed.
    public struct Outputs: OptionSet, Sendable {
        /// One bit per output.
        public let rawValue: Int
        /// The outputs of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Skin conductance responses.
        public static let responses = Outputs(rawValue: 1)
        /// Samples with their components.
        public static let samples = Outputs(rawValue: 2)
        /// Both.
        public static let all: Outputs = [.responses, .samples]
    }

    /// How long samples may be missing, in seconds, without an end to what is seen: a response rises for a second and more.
    public static let longestHole: Seconds = 0.5
    /// The lowest sample rate, in Hz, at which responses can be seen.
    public static let lowestSampleRate = 1.0

    private let parameters: ElectrodermalParameters
    private let outputs: Outputs
    private var block: AveragedBlock
    private var quantisation = QuantisationStep()
    private var run: ElectrodermalRun?
    /// Whether there is a run; to compare it with nil would copy it for every sample.
    private var isRunning = false
    /// The last value of the run, and how many are missing since.
    private var last = 0.0
    private var missing = 0
    /// Whether the run lies at a time.
    private var isPlaced = true
    private var rate: Double

    /// An analysis of a signal at `sampleRate` Hz.
    /// - Throws: `ElectrodermalError` when a parameter or the sample rate has no meaning.
    public init(
        sampleRate: Double, parameters: ElectrodermalParameters = ElectrodermalParameters(),
        computing outputs: Outputs = .all
    ) throws(ElectrodermalError) {
        try parameters.validate()
        guard sampleRate >= Self.lowestSampleRate, sampleRate <= 1e6 else {
            throw ElectrodermalError(
                "Skin conductance needs a sample rate from \(Self.lowestSampleRate) Hz on, not \(sampleRate) Hz.")
        }
        (self.parameters, self.outputs, rate) = (parameters, outputs, sampleRate)
        block = AveragedBlock(sampleRate: sampleRate)
    }

    /// By how much the signal must have gone on, in seconds, before all about a sample is certain.
    public var lookAhead: Seconds {
        max(
            outputs.contains(.samples) ? parameters.separationLookAhead + 1 : 0,
            ResponseDetector.lookAhead(parameters.responses)
                + (parameters.responses.largestRipple > 0 ? RippleRemoval.lookAhead : 0)) + parameters.artefacts.margin
            + Self.longestHole + 1
    }

    /// A run begins. Of one that lies at no time nothing is told.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [ElectrodermalOutput]) {
        endRun(into: &outputs)
        rate = segment.sampleRate >= Self.lowestSampleRate && segment.sampleRate <= 1e6 ? segment.sampleRate : rate
        block = AveragedBlock(sampleRate: rate)
        block.onset = segment.onset
        quantisation = QuantisationStep()
        isPlaced = segment.onset.isPlaceable
    }

    /// The next samples of the run, µS.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [ElectrodermalOutput]) {
        guard isPlaced else { return }
        for index in chunk.indices {
            quantisation.take(chunk[index])
            guard let averaged = block.take(chunk[index]) else { continue }
            guard let value = averaged.value else {
                missing += 1
                if Double(missing) > Self.longestHole * block.outputRate { endRun(into: &outputs) }
                continue
            }
            if !isRunning {
                isRunning = true
                run = ElectrodermalRun(
                    parameters, computing: self.outputs, onset: averaged.onset, sampleRate: block.outputRate)
            } else if missing > 0 {
                let step = (value - last) / Double(missing + 1)
                for place in 1...missing { run?.take(last + step * Double(place), isMissing: true, into: &outputs) }
            }
            (last, missing) = (value, 0)
            run?.quantisationStep = quantisation.size
            run?.take(value, into: &outputs)
        }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [ElectrodermalOutput]) {
        endRun(into: &outputs)
    }

    private mutating func endRun(into outputs: inout [ElectrodermalOutput]) {
        run?.finish(into: &outputs)
        run = nil
        (isRunning, missing) = (false, 0)
    }
}

/// Brings a signal down to 4…8 Hz, or as it is where it has less, by the means of successive samples.
struct AveragedBlock: Sendable {
    private let rate: Double
    private let length: Int
    var onset: Seconds = 0
    private var taken = 0
    private var sum = 0.0
    private var present = 0

    init(sampleRate: Double) {
        rate = sampleRate
        length = max(1, Int(sampleRate / 4))
    }

    var outputRate: Double { rate / Double(length) }

    /// Takes a sample. When a block is full: the time of its middle, and the mean of its finite samples, nil for none.
    @inline(__always)
    mutating func take(_ sample: Float) -> (onset: Seconds, value: Double?)? {
        if sample.isFinite {
            sum += Double(sample)
            present += 1
        }
        taken += 1
        guard taken % length == 0 else { return nil }
        let middle = onset + (Double(taken) - Double(length + 1) / 2) / rate
        let value = present > 0 ? sum / Double(present) : nil
        (sum, present) = (0, 0)
        return (middle, value)
    }
}
