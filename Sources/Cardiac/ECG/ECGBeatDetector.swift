import CVectors
public import Signals

/// A streaming detector of QRS complexes in one ECG lead.
///
/// A pacemaker's impulses are taken out. The lead is brought to 83…188 Hz and seen through a wavelet of QRS width; the
/// peaks of its modulus are candidates. Each is weighed against what stands around it, seconds before and after, and a
/// shortest path through the candidates decides which are beats, so that an interval that is too short or too long
/// speaks as well. The time of a beat is the top of the largest deflection of its complex, read between samples from the
/// input itself, as means over a period of the mains that their hum cannot move.
///
/// Works in any unit and with either polarity. Samples that are NaN or infinite are missing: a few in a row are
/// bridged, more end the run, and what was learnt before holds for what begins within 3 s. The first beat after a gap
/// follows a break, and so do a beat whose complex a gap may have cut and the next one. A constant signal has no beats, and the first beat after 2 s of it follows a break.
public struct ECGBeatDetector: BeatDetector {
    /// What can be set. The defaults are meant for adults' and children's ECG in any lead.
    public struct Parameters: Hashable, Codable, Sendable {
        /// No two beats are nearer than this, in seconds, 0…2.
        public var refractoryPeriod: Double
        /// Missing samples are bridged by a straight line up to this many seconds, 0…1.
        public var longestBridge: Double
        /// Which point of the QRS complex is the beat.
        public var fiducial: Fiducial

        /// Which point of the QRS complex is the beat.
        public enum Fiducial: String, Codable, CaseIterable, Sendable {
            /// The top of the largest deflection from the baseline, upward or downward: in some leads the S wave.
            case largestDeflection
            /// The top of the R wave, the largest upward deflection, where it is a fifth as large as the largest one;
            /// elsewhere that one.
            case rPeak
        }

        /// The defaults, or what is given instead.
        public init(
            refractoryPeriod: Double = 0.2,
            longestBridge: Double = 0.05,
            fiducial: Fiducial = .largestDeflection
        ) {
            self.refractoryPeriod = refractoryPeriod
            self.longestBridge = longestBridge
            self.fiducial = fiducial
        }

        /// Checks that the parameters have a meaning.
        /// - Throws: the first that has none.
        public func validate() throws(InvalidParameter) {
            for (name, value, range) in [
                ("refractoryPeriod", refractoryPeriod, 0.0...2), ("longestBridge", longestBridge, 0.0...1),
            ] where !range.contains(value) {
                throw InvalidParameter(
                    name: "ecg.\(name)", found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound) s")
            }
        }
    }

    private let parameters: Parameters
    private var segment: SegmentStart
    /// Samples of the segment so far, missing ones included.
    private var segmentCount = 0
    var run: QRSRun
    /// Missing samples since the last one that was there.
    private var missing = 0
    private var followsBreak = true
    /// Up to when, in seconds from the recording's start, a run was looked at, whose knowledge still holds.
    private var seenUntil: Seconds?
    /// When the latest run began.
    private var runOnset: Seconds = 0

    /// After so many seconds without a signal, beats may look otherwise: an electrode may have been moved.
    private static let longestPause = 3.0

    /// The sample rates, in Hz, at which beats are found.
    public static let sampleRates = ECGFrame.usableRates

    /// A detector for input at `sampleRate` Hz, 100…2,000 as a rule; outside `sampleRates` it finds nothing.
    public init(sampleRate: Double, parameters: Parameters = .init()) {
        self.parameters = parameters
        segment = SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate)
        run = QRSRun(sampleRate: sampleRate, parameters: parameters)
    }

    /// A bit less than 3 s.
    public var lookAhead: Seconds { run.lookAhead + parameters.longestBridge }

    /// A contiguous run of samples begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Beat]) {
        endRun(into: &outputs)
        if segment.sampleRate != run.frame.sampleRate {
            let account = run.account
            run = QRSRun(sampleRate: segment.sampleRate, parameters: parameters)
            run.account = account
            seenUntil = nil
        }
        self.segment = segment
        segmentCount = 0
        missing = 0
        followsBreak = true
    }

    /// The next samples of the run.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Beat]) {
        guard ECGFrame.usableRates.contains(segment.sampleRate) else { return }
        chunk.withUnsafeBufferPointer { samples in
            guard var next = samples.baseAddress else { return }
            let end = next + samples.count
            while next < end {
                let length = min(run.room, end - next)
                // What comes next is often what stands behind these, in this chunk or not.
                marey_fetch(next + length, length)
                if missing == 0, run.isOpen, run.append(finite: next, length) {
                    segmentCount += length
                    next += length
                } else {
                    // Until the samples can be taken together again.
                    for sample in UnsafeBufferPointer(start: next, count: min(length, 64)) {
                        pushOne(sample, into: &outputs)
                    }
                    next += min(length, 64)
                }
                process(into: &outputs)
            }
        }
    }

    /// Nothing more comes.
    public mutating func finish(into outputs: inout [Beat]) {
        endRun(isCut: false, into: &outputs)
    }

    private mutating func pushOne(_ sample: Float, into outputs: inout [Beat]) {
        defer { segmentCount += 1 }
        guard sample.isFinite else {
            missing += 1
            // At once, not with the next sample that is there: beats that are known are not held back by a long gap.
            if missing > longestBridge { endRun(into: &outputs) }
            return
        }
        if run.isOpen {
            let last = run.lastSample
            for step in 0..<missing {
                let share = Float(step + 1) / Float(missing + 1)
                run.append(last + (sample - last) * share)
                if run.room == 0 { process(into: &outputs) }
            }
        } else {
            let onset = segment.onset(ofOffset: segmentCount)
            run.account?.origin = (onset, segment.sample + segmentCount)
            run.open(at: segmentCount, first: sample, after: isSoon(onset) ? onset - runOnset : nil)
            runOnset = onset
        }
        missing = 0
        run.append(sample)
    }

    /// The most missing samples that are bridged: at most a second, and no trap where the parameter is not a number.
    private var longestBridge: Int {
        Int(max(0, min(1, parameters.longestBridge)) * run.frame.sampleRate)
    }

    private mutating func process(into outputs: inout [Beat]) {
        run.process()
        emit(into: &outputs)
    }

    /// Whether a run that begins at `onset` goes on from the one before.
    private func isSoon(_ onset: Seconds) -> Bool {
        guard let seenUntil, run.isResumable else { return false }
        return onset >= seenUntil && onset - seenUntil <= Self.longestPause
    }

    private mutating func endRun(isCut: Bool = true, into outputs: inout [Beat]) {
        guard run.isOpen else { return }
        let end = run.end
        if run.close(isCut: isCut) { seenUntil = segment.onset(ofOffset: end) }
        emit(into: &outputs)
        followsBreak = true
    }

    private mutating func emit(into outputs: inout [Beat]) {
        guard !run.found.isEmpty else { return }
        for index in run.found.indices {
            let found = run.found[index]
            let offset = Double(run.start) + found.place
            let beat = Beat(
                onset: segment.onset + offset / segment.sampleRate,
                sample: segment.sample + Int(offset.rounded()), confidence: found.confidence,
                followsBreak: followsBreak || found.followsSilence || found.isCut)
            followsBreak = found.isCut
            outputs.append(beat)
        }
        run.found.removeAll(keepingCapacity: true)
    }
}
