import Kernels
import Signals

/// The slow and the fast component of one sample, µS.
struct Components: Sendable {
    var tonic: Double
    var phasic: Double
}

/// Tells the slow from the fast component of one run, in the order of its samples.
protocol Separator: Sendable {
    /// Takes a sample; appends the components that are now known, some of them `batch` seconds later. Those of an artefact,
    /// which has no say in those of others, are NaN.
    mutating func take(_ value: Double, isArtefact: Bool, into components: inout [Components])
    /// The run ends: appends those of the last samples.
    mutating func finish(into components: inout [Components])
}

extension ElectrodermalParameters {
    func separator(sampleRate: Double) -> any Separator {
        switch separation {
        case .convex: ConvexSeparator(self, sampleRate: sampleRate)
        case .highPass: SymmetricSeparator(HighPassTonic(sampleRate: sampleRate), sampleRate: sampleRate)
        case .median:
            SymmetricSeparator(MedianTonic(window: medianWindow, sampleRate: sampleRate), sampleRate: sampleRate)
        }
    }

    /// By how much conductance must have gone on, in seconds, before a sample's components are certain.
    var separationLookAhead: Seconds {
        switch separation {
        case .convex: blockLength + blockMargin
        // As long again where artefacts are bridged.
        case .highPass: 2 * HighPassTonic.reach + SymmetricSeparator<HighPassTonic>.batch
        case .median: medianWindow + SymmetricSeparator<MedianTonic>.batch
        }
    }
}

/// The convex decomposition, a block at a time. Each block is decomposed with a margin on either side, whose
/// components are forgotten; what that costs is told at `ElectrodermalParameters.blockLength`.
struct ConvexSeparator: Separator {
    private let parameters: DecompositionParameters
    private let rate: Double
    private let core: Int
    private let margin: Int
    private var values: [Double] = []
    private var artefacts: [Bool] = []
    /// Place, among `values`, of the next block's core.
    private var start = 0
    /// Values of the run that came before `values`.
    private var gone = 0

    init(_ parameters: ElectrodermalParameters, sampleRate: Double) {
        self.parameters = parameters.convex
        rate = sampleRate
        core = Swift.max(1, Int((parameters.blockLength * sampleRate).rounded()))
        margin = Int((parameters.blockMargin * sampleRate).rounded())
    }

    mutating func take(_ value: Double, isArtefact: Bool, into components: inout [Components]) {
        values.append(value)
        artefacts.append(isArtefact)
        if values.count == start + core + margin { decompose(core, into: &components) }
    }

    mutating func finish(into components: inout [Components]) {
        while start < values.count { decompose(Swift.min(core, values.count - start), into: &components) }
        (values, artefacts, start, gone) = ([], [], 0, 0)
    }

    private mutating func decompose(_ count: Int, into components: inout [Components]) {
        let length = start + core + margin
        if let result = try? Decomposition(
            of: Array(values.prefix(length)), sampleRate: rate, parameters,
            leavingOut: Array(artefacts.prefix(length)), at: gone)
        {
            for k in start..<start + count {
                components.append(Components(tonic: result.tonic[k], phasic: result.phasic[k]))
            }
        } else {
            // Too short, or out of all measure: not known.
            for _ in 0..<count { components.append(Components(tonic: .nan, phasic: .nan)) }
        }
        start += count
        let dropped = Swift.max(0, start - margin)
        values.removeFirst(dropped)
        artefacts.removeFirst(dropped)
        start -= dropped
        gone += dropped
    }
}

/// What a symmetric window makes of a sample and its neighbours.
protocol TonicWindow: Sendable {
    /// Samples to either side that count.
    var reach: Int { get }
    /// Takes the next samples, and puts in their place the tonic components of those `reach` before them.
    mutating func take(_ values: inout [Float])
}

/// What a symmetric window leaves is phasic. Beyond the ends of the run its first and its last value are held. Artefacts
/// are bridged by a line where they are no longer than the window's reach, and end the run where they are.
struct SymmetricSeparator<Tonic: TonicWindow>: Separator {
    /// Seconds of samples that the window takes at once, which is many times faster than one after the other.
    static var batch: Seconds { 4 }

    /// The window before it has seen anything.
    private let fresh: Tonic
    private var window: Tonic
    private let batchCount: Int
    /// What the window has not taken yet.
    private var coming: [Float] = []
    /// What has no components yet; NaN for artefacts.
    private var waiting: [Double] = []
    /// Of what the window gives next this is before the first sample.
    private var skip = 0
    /// The latest value, and how many artefacts came since; nil before the first and after artefacts end the run.
    private var last: Double?
    private var missing = 0

    init(_ window: Tonic, sampleRate: Double) {
        (fresh, self.window) = (window, window)
        batchCount = max(1, Int(Self.batch * sampleRate))
    }

    private init(fresh: Tonic, batchCount: Int) {
        (self.fresh, window, self.batchCount) = (fresh, fresh, batchCount)
    }

    mutating func take(_ value: Double, isArtefact: Bool, into components: inout [Components]) {
        if isArtefact {
            missing += 1
            if last == nil || missing > window.reach { finish(into: &components) }
            return
        }
        if let last {
            let step = (value - last) / Double(missing + 1)
            for place in 0..<missing { push(last + step * Double(place + 1), isArtefact: true) }
        } else {
            coming = Array(repeating: Float(value), count: window.reach)
            skip = 2 * window.reach
        }
        push(value, isArtefact: false)
        (last, missing) = (value, 0)
        if coming.count >= batchCount { advance(into: &components) }
    }

    mutating func finish(into components: inout [Components]) {
        if let last {
            coming += Array(repeating: Float(last), count: window.reach)
            advance(into: &components)
        }
        for _ in 0..<missing { components.append(Components(tonic: .nan, phasic: .nan)) }
        self = SymmetricSeparator(fresh: fresh, batchCount: batchCount)
    }

    private mutating func push(_ value: Double, isArtefact: Bool) {
        waiting.append(isArtefact ? .nan : value)
        coming.append(Float(value))
    }

    private mutating func advance(into components: inout [Components]) {
        window.take(&coming)
        let known = coming.dropFirst(skip)
        skip -= coming.count - known.count
        for (value, tonic) in zip(waiting, known) {
            components.append(Components(tonic: value.isNaN ? .nan : Double(tonic), phasic: value - Double(tonic)))
        }
        waiting.removeFirst(known.count)
        coming.removeAll(keepingCapacity: true)
    }
}

/// A symmetric low-pass filter: −6 dB at 0.05 Hz, the border customary for phasic activity.
struct HighPassTonic: TonicWindow {
    static let reach: Seconds = 30
    let reach: Int
    private var filter: FIRFilter

    init(sampleRate: Double) {
        reach = Int(Self.reach * sampleRate)
        let count = 2 * reach + 1
        let design = try? FIRDesign.windowed(.lowpass(0.05), taps: count, window: .hann, sampleRate: sampleRate)
        filter = FIRFilter(design ?? FIRDesign(taps: Array(repeating: 1 / Double(count), count: count)))
    }

    mutating func take(_ values: inout [Float]) {
        var span = values.mutableSpan
        filter.process(&span)
    }
}

/// The running median.
struct MedianTonic: TonicWindow {
    let reach: Int
    private var median: SlidingMedian

    init(window: Seconds, sampleRate: Double) {
        reach = Swift.max(1, Int((window * sampleRate / 2).rounded()))
        median = SlidingMedian(window: 2 * reach + 1)
    }

    mutating func take(_ values: inout [Float]) {
        for index in values.indices { values[index] = median.push(values[index]) }
    }
}
