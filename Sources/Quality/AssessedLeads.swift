public import Cardiac
public import Signals

/// A detector of beats in several ECG leads together with a judge of each lead: samples in, beats and quality windows
/// out.
///
/// A window is the best of the leads' windows: where one lead is good, so are the beats.
public struct AssessedLeads {
    private var detector: MultiLeadECGDetector
    private var assessors: [SignalAssessor]
    /// Windows of each lead whose counterparts in other leads are not there yet.
    private var judged: [[QualityWindow]]
    private var spoilt: [SpoiltStretch] = []
    private var verdicts: [IntervalVerdict] = []

    /// For `leadCount` leads that are sampled together, at `sampleRate` Hz.
    public init(
        leadCount: Int, sampleRate: Double, parameters: ECGBeatDetector.Parameters = .init(),
        quality: QualityParameters = QualityParameters()
    ) {
        detector = MultiLeadECGDetector(
            sampleRates: Array(repeating: sampleRate, count: leadCount), parameters: parameters)
        let lookAhead = detector.lookAhead
        assessors = (0..<leadCount).map { _ in
            SignalAssessor(.ecg, sampleRate: sampleRate, detectorLookAhead: lookAhead, parameters: quality)
        }
        judged = Array(repeating: [], count: leadCount)
    }

    /// A run of all leads begins; what was held back of the one before is appended.
    public mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow]) {
        let known = beats.count
        for lead in assessors.indices { detector.begin(segment, lead: lead) }
        detector.advance(into: &beats)
        tell(beats[known...])
        for lead in assessors.indices { assessors[lead].begin(segment, into: &judged[lead]) }
        findSpoilt()
        merge(into: &windows)
    }

    /// The next samples of the run, those of lead i from the channel `channels[i]` of `block`.
    public mutating func push(
        _ block: SampleBlock, channels: [Int], beats: inout [Beat], windows: inout [QualityWindow]
    ) {
        let samples = block.samples.span
        var first = 0
        while first < block.frameCount {
            // Cut where the assessors settle something, so that they know the same beats however the input comes.
            let count = min(assessors.first?.room ?? block.frameCount, block.frameCount - first)
            let known = beats.count
            for (lead, channel) in channels.enumerated() {
                let start = channel * block.frameCount + first
                detector.push(samples.extracting(start..<start + count), lead: lead)
            }
            detector.advance(into: &beats)
            tell(beats[known...])
            for (lead, channel) in channels.enumerated() {
                let start = channel * block.frameCount + first
                assessors[lead].push(samples.extracting(start..<start + count), into: &judged[lead])
            }
            findSpoilt()
            first += count
        }
        merge(into: &windows)
    }

    /// Nothing more will come.
    public mutating func finish(beats: inout [Beat], windows: inout [QualityWindow]) {
        let known = beats.count
        detector.finish(into: &beats)
        tell(beats[known...])
        for lead in assessors.indices { assessors[lead].finish(into: &judged[lead]) }
        findSpoilt()
        merge(into: &windows)
    }

    /// What became known since the last time of stretches that are spoilt in all leads: no interval may reach into them.
    public mutating func takeSpoilt() -> [SpoiltStretch] {
        defer { spoilt.removeAll(keepingCapacity: true) }
        return spoilt
    }

    /// The verdicts on intervals that became known since the last call. An interval is sound where it is so in one lead.
    public mutating func takeVerdicts() -> [IntervalVerdict] {
        defer { verdicts.removeAll(keepingCapacity: true) }
        return verdicts
    }

    /// Leads that are sampled together tell what is spoilt of the same time at once.
    private mutating func findSpoilt() {
        var sound: [Seconds: Bool] = [:]
        for lead in assessors.indices {
            for verdict in assessors[lead].takeVerdicts() where verdict.isSound { sound[verdict.end] = true }
        }
        verdicts += sound.keys.sorted().map { IntervalVerdict(end: $0, isSound: true) }
        spoilt += SpoiltStretch.common(assessors.indices.map { assessors[$0].takeSpoilt() })
    }

    private mutating func tell(_ beats: ArraySlice<Beat>) {
        for beat in beats {
            for lead in assessors.indices { assessors[lead].take(beat) }
        }
    }

    /// Leads that are sampled together have their windows at the same times.
    private mutating func merge(into windows: inout [QualityWindow]) {
        let count = judged.map(\.count).min() ?? 0
        guard count > 0 else { return }
        for index in 0..<count {
            var best = judged[0][index]
            for lead in judged.indices.dropFirst() where judged[lead][index].quality > best.quality {
                best = judged[lead][index]
            }
            windows.append(best)
        }
        for lead in judged.indices { judged[lead].removeFirst(count) }
    }
}
