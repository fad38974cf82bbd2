public import Signals

/// Which movements a lead of an electro-oculogram shows.
public enum EyeLead: String, Hashable, Codable, Sendable {
    /// Up and down, and with them the lids.
    case vertical
    /// To the sides.
    case horizontal
    /// Both, as the difference of LOC and ROC does, one of which lies above and the other below its eye.
    case both
}

/// What the eyes did in 30 s, as an electro-oculogram shows it.
public struct EyeActivity: Hashable, Sendable {
    /// Seconds from the recording's start, a multiple of 30.
    public var onset: Seconds
    /// How many rapid movements there were; nil where less than half is known.
    public var rapid: Int?
    /// Blinks: rapid movements up and back at once, most of them the same way. Only a vertical lead tells them from others.
    public var blinks: Int
    /// Sweeps of reading: slow to one side and rapidly back, again and again the same way.
    public var sweeps: Int

    /// What was seen from `onset` on.
    public init(onset: Seconds, rapid: Int?, blinks: Int = 0, sweeps: Int = 0) {
        (self.onset, self.rapid, self.blinks, self.sweeps) = (onset, rapid, blinks, sweeps)
    }

    /// What a lead shows of 30 s, in µV; missing samples are NaN.
    init(onset: Seconds, samples: [Float], sampleRate: Double, lead: EyeLead) {
        self.init(onset: onset, rapid: nil)
        let missing = samples.count { !$0.isFinite }
        guard !samples.isEmpty, 2 * missing <= samples.count else { return }
        var held = samples.first(where: \.isFinite) ?? 0
        // What is missing does not move.
        let known = samples.map { sample -> Float in
            if sample.isFinite { held = sample }
            return held
        }
        let deflections = EyeDeflection.all(in: known, sampleRate: sampleRate)
        rapid = deflections.count(where: \.isRapid)
        if lead == .vertical { blinks = Self.blinks(among: deflections) }
        if lead != .vertical { sweeps = Self.sweeps(among: deflections) }
    }

    /// What several leads show of the same 30 s: what any of them does.
    init(_ leads: [EyeActivity]) {
        let known = leads.compactMap(\.rapid)
        self.init(
            onset: leads.first?.onset ?? 0, rapid: known.max(), blinks: leads.map(\.blinks).max() ?? 0,
            sweeps: leads.map(\.sweeps).max() ?? 0)
    }

    /// The longest a lid takes from closing to opening, in seconds between the middles of both.
    private static let longestBlink = 0.6
    /// The share of movements of a kind that must go the same way.
    private static let sameWay = 0.8

    private static func blinks(among deflections: [EyeDeflection]) -> Int {
        var ways: [Bool] = []
        var place = 0
        while place + 1 < deflections.count {
            let (first, second) = (deflections[place], deflections[place + 1])
            let isBack = first.size * second.size < 0 && (0.5...2).contains(-second.size / first.size)
            let isBlink =
                first.isRapid && second.isRapid && isBack && second.middle - first.middle <= longestBlink
            if isBlink { ways.append(first.size > 0) }
            place += isBlink ? 2 : 1
        }
        return oneWay(ways)
    }

    private static func sweeps(among deflections: [EyeDeflection]) -> Int {
        oneWay(
            zip(deflections, deflections.dropFirst()).compactMap { slow, quick in
                !slow.isRapid && quick.isRapid && slow.size * quick.size < 0 ? quick.size > 0 : nil
            })
    }

    /// How many there are where most go the same way; else none.
    private static func oneWay(_ ways: [Bool]) -> Int {
        let up = ways.count(where: \.self)
        return Double(max(up, ways.count - up)) >= sameWay * Double(ways.count) ? ways.count : 0
    }
}

/// Tells by 30 s what the eyes did, from the leads of an electro-oculogram: samples in µV in, a channel per lead.
public struct EyeActivities: BlockStage, Sendable {
    /// The lowest sample rate in hertz.
    public static let lowestSampleRate = 50.0

    private let leads: [EyeLead]
    private var epocher: Epocher
    private var pending: [Epoch] = []

    /// A stage for leads at `sampleRate` Hz.
    public init(_ leads: [EyeLead], sampleRate: Double) {
        self.leads = leads
        epocher = Epocher(
            channels: leads.count, sampleRate: sampleRate,
            parameters: EpochParameters(length: SleepEpoch.length, step: SleepEpoch.length))
    }

    /// Seconds of signal between a sample and what depends on it.
    public var lookAhead: Seconds { SleepEpoch.length }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [EyeActivity]) {
        epocher.begin(segment, into: &pending)
        take(into: &outputs)
    }

    /// The next samples of the leads.
    public mutating func push(_ block: SampleBlock, into outputs: inout [EyeActivity]) {
        epocher.push(block, into: &pending)
        take(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [EyeActivity]) {
        epocher.finish(into: &pending)
        take(into: &outputs)
    }

    private mutating func take(into outputs: inout [EyeActivity]) {
        for epoch in pending {
            outputs.append(
                EyeActivity(
                    leads.indices.map { place in
                        EyeActivity(
                            onset: epoch.onset, samples: epoch.channel(place), sampleRate: epoch.sampleRate,
                            lead: leads[place])
                    }))
        }
        pending.removeAll(keepingCapacity: true)
    }
}
