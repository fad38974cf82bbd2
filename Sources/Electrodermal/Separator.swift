import Kernels
import Signals

/// The slow and the fast component of one sample, µS.
struct Components: Sendable {
    var tonic: Double
    var phasic: Double
}

/// Tells the slow from the fast component of one run, in the order of its samples.
protocol Separator: Sendable {
    /// Takes a sample; appends the components that are now known. Those of an artefact, which has no say in those of
    /// others, are NaN.
    mutating func take(_ value: Double, isArtefact: Bool, into components: inout [Components])
    /// The run ends: appends those of the last samples.
    mutating func finish(into components: inout [Components])
}

extension ElectrodermalParameters {
    func separator(sampleRate: Double) -> any Separator {
        switch separation {
        case .convex: ConvexSeparator(self, sampleRate: sampleRate)
        case .highPass: SymmetricSeparator(HighPassTonic(sampleRate: sampleRate))
        case .median: SymmetricSeparator(MedianTonic(window: medianWindow, sampleRate: sampleRate))
        }
    }

    /// By how much conductance must have gone on, in seconds, before a sample's components are certain.
    var separationLookAhead: Seconds {
        switch separation {
        case .convex: blockLength + blockMargin
        // As long again where artefacts are bridged, and samples are filtered several together.
        case .highPass: 2 * HighPassTonic.reach + Double(tonicsTogether) / ElectrodermalStage.lowestSampleRate
        case .median: medianWindow + Double(tonicsTogether) / ElectrodermalStage.lowestSampleRate
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

/// How many samples a symmetric window takes together: so many take a filter no longer than one.
private let tonicsTogether = 8

/// What a symmetric window makes of a sample and its neighbours.
protocol TonicWindow: Sendable {
    /// Samples to either side that count.
    var reach: Int { get }
    /// Takes the next samples and puts in their place the tonic components `reach` samples before each.
    mutating func take(_ values: inout [Float])
}

/// What a symmetric window leaves is phasic. Beyond the ends of the run its first and its last value are held. Artefacts
/// are bridged by a line where they are no longer than the window's reach, and end the run where they are.
struct SymmetricSeparator<Tonic: TonicWindow>: Separator {
    /// The window before it has seen anything.
    private let fresh: Tonic
    private var window: Tonic
    /// What the window has taken and not given yet, from `first` on; NaN for artefacts.
    private var waiting: [Double] = []
    private var first = 0
    /// What the window has still to take.
    private var next: [Float] = []
    private var skipped = 0
    /// The latest value, and how many artefacts came since; nil before the first and after artefacts end the run.
    private var last: Double?
    private var missing = 0

    /// So many values that were given are dropped together.
    private static var mostGone: Int { 1_024 }

    init(_ window: Tonic) {
        (fresh, self.window) = (window, window)
    }

    mutating func take(_ value: Double, isArtefact: Bool, into components: inout [Components]) {
        if isArtefact {
            missing += 1
            if last == nil || missing > window.reach { finish(into: &components) }
            return
        }
        if let last {
            let step = (value - last) / Double(missing + 1)
            for place in 0..<missing { push(last + step * Double(place + 1), isArtefact: true, into: &components) }
        } else {
            var before = [Float](repeating: Float(value), count: window.reach)
            window.take(&before)
        }
        push(value, isArtefact: false, into: &components)
        (last, missing) = (value, 0)
    }

    mutating func finish(into components: inout [Components]) {
        if let last { for _ in 0..<window.reach { advance(last, into: &components) } }
        give(into: &components)
        for _ in 0..<missing { components.append(Components(tonic: .nan, phasic: .nan)) }
        self = SymmetricSeparator(fresh)
    }

    private mutating func push(_ value: Double, isArtefact: Bool, into components: inout [Components]) {
        waiting.append(isArtefact ? .nan : value)
        advance(value, into: &components)
    }

    private mutating func advance(_ value: Double, into components: inout [Components]) {
        next.append(Float(value))
        if next.count == tonicsTogether { give(into: &components) }
    }

    /// Lets the window take what it still has to.
    private mutating func give(into components: inout [Components]) {
        window.take(&next)
        for tonic in next {
            skipped += 1
            guard skipped > window.reach else { continue }
            let (value, tonic) = (waiting[first], Double(tonic))
            components.append(Components(tonic: value.isNaN ? .nan : tonic, phasic: value - tonic))
            first += 1
        }
        next.removeAll(keepingCapacity: true)
        if first > Self.mostGone {
            waiting.removeFirst(first)
            first = 0
        }
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
        for place in values.indices { values[place] = median.push(values[place]) }
    }
}
