import Kernels
public import Signals

/// A simulated cohort: recordings of people who differ, in conditions whose effects are known.
public struct SimulatedCohort: Sendable {
    /// One recording and its truth.
    public struct Member: Hashable, Sendable {
        /// The participant, from 1 on.
        public var participant: Int
        /// The session, from 1 on.
        public var session: Int
        /// The condition.
        public var condition: CohortCondition
        /// Mean heart rate in bpm.
        public var heartRate: Double
        /// Power of the RR series at the respiratory frequency, in ms².
        public var hfPower: Double
        /// The skin.
        public var skin: SkinConductance
        /// Amplitude of the alpha rhythm in µV, eyes open.
        public var alpha: Double
        /// What went wrong; nil for most.
        public var fault: CohortFault?
        /// Its own seed.
        public var seed: UInt64

        /// The participant's label, such as `07`.
        public var label: String { participant < 10 ? "0\(participant)" : "\(participant)" }
    }

    /// What determines it.
    public let parameters: CohortParameters
    /// All recordings, by participant, session and condition.
    public let members: [Member]

    /// The cohort these parameters determine.
    public init(_ parameters: CohortParameters) {
        self.parameters = parameters
        members = (1...Swift.max(1, parameters.participants)).flatMap { Self.members(of: $0, parameters) }
    }

    private static func members(of participant: Int, _ parameters: CohortParameters) -> [Member] {
        var person = RandomSource(seed: parameters.seed, "person \(participant)")
        let resting = 68 + parameters.heartRateBetween * person.gaussian()
        let variability = Elementary.exp(0.5 * person.gaussian())
        let conductance = Swift.max(1.5, 5 + 1.5 * person.gaussian())
        let alpha = 10 * Elementary.exp(0.3 * person.gaussian())
        let responses = parameters.conditions.map { _ in parameters.responseBetween * person.gaussian() }
        var members: [Member] = []
        for session in 1...Swift.max(1, parameters.sessions) {
            let day = parameters.heartRateWithin * person.gaussian()
            for (index, condition) in parameters.conditions.enumerated() {
                let response = index == 0 ? 0 : condition.heartRate + responses[index]
                var skin = SkinConductance()
                skin.level = conductance + condition.conductance
                skin.responsesPerMinute = condition.responsesPerMinute
                // The walk is rough: more of it has bumps that look like responses.
                skin.drift = 0.02
                members.append(
                    Member(
                        participant: participant, session: session, condition: condition,
                        heartRate: Swift.min(Swift.max(resting + day + response, 40), 140),
                        hfPower: 400 * variability * condition.hfPower, skin: skin, alpha: alpha * condition.alpha,
                        fault: parameters.hasFaults ? fault(participant, session, index) : nil,
                        seed: person.bits()))
            }
        }
        return members
    }

    /// Some participants have bad luck in their last recording of the first session, in turn each fault.
    private static func fault(_ participant: Int, _ session: Int, _ condition: Int) -> CohortFault? {
        guard participant % 4 == 1, participant > 1, session == 1, condition > 0 else { return nil }
        return CohortFault.allCases[(participant / 4 - 1) % CohortFault.allCases.count]
    }

    /// The recording of a member, in memory.
    public func recording(of member: Member) -> Recording {
        var streams: [Stream] = []
        let heart = heart(of: member)
        if heart.ecg != nil || heart.bvp != nil { streams += SimulatedSession(heart).recording().streams }
        if parameters.signals.contains("eda") { streams.append(skin(of: member)) }
        if parameters.signals.contains("eeg") { streams.append(brain(of: member)) }
        if member.fault == .emptyIBI {
            streams.append(
                Stream(
                    header: StreamHeader(
                        name: "ibi", kind: .ibi, channels: [Channel(label: "ibi", unit: .seconds)], sampleRate: 0)))
        }
        streams = streams.map { Self.damaged($0, member.fault, parameters.duration) }
        // Sessions a week apart, conditions a quarter of an hour, from 2026-03-02 09:00 UTC on.
        let condition = parameters.conditions.firstIndex(of: member.condition) ?? 0
        let offset = (member.participant * 3_600 % 28_800) + (member.session - 1) * 604_800 + condition * 900
        let start = member.fault == .badClock ? 0 : 1_772_442_000 + Double(offset)
        let header = RecordingHeader(
            start: Timestamp(secondsSince1970: start), duration: parameters.duration, subject: member.label,
            session: "\(member.session)", task: member.condition.task, format: "simulation")
        return Recording(header: header, streams: streams)
    }

    private func heart(of member: Member) -> SimulationParameters {
        var heart = SimulationParameters()
        heart.duration = parameters.duration
        heart.seed = member.seed
        heart.rhythm.meanRate = member.heartRate
        heart.rhythm.variability.hf = member.hfPower
        if !parameters.signals.contains("ecg") { heart.ecg = nil }
        if !parameters.signals.contains("bvp") { heart.bvp = nil }
        heart.ecgNoise = [NoiseLevel(.muscle, snr: 20)]
        heart.bvpNoise = [NoiseLevel(.pink, snr: 20)]
        return heart
    }

    private func skin(of member: Member) -> Stream {
        let samples = member.skin.samples(seed: member.seed, duration: parameters.duration)
        let off = member.fault == .sensorOff
        return Self.stream(
            "eda", .eda, [Channel(label: "EDA", unit: .microsiemens)], member.skin.sampleRate,
            off ? samples.map { _ in 0 } : samples)
    }

    private func brain(of member: Member) -> Stream {
        var form = EEGParameters()
        // With eyes open a fifth of the amplitude is seen.
        form.alpha = member.alpha * 5
        let count = Int(parameters.duration * form.sampleRate)
        var signal = EEGSignal(form, seed: member.seed)
        let channels = signal.render(0..<count)
        return Self.stream(
            "eeg", .eeg, form.labels.map { Channel(label: $0, unit: .microvolts) }, form.sampleRate,
            channels.flatMap { $0.map(Float.init) })
    }

    private static func stream(
        _ name: String, _ kind: StreamKind, _ channels: [Channel], _ rate: Double, _ samples: [Float]
    ) -> Stream {
        let block = SampleBlock(channelCount: channels.count, samples: samples)
        return Stream(
            header: StreamHeader(
                name: name, kind: kind, channels: channels, sampleRate: rate, frameCount: block.frameCount),
            segments: [Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: rate), block: block)])
    }

    /// What a fault leaves of a stream.
    private static func damaged(_ stream: Stream, _ fault: CohortFault?, _ duration: Seconds) -> Stream {
        let rate = stream.header.sampleRate
        guard let block = stream.segments.first?.block, rate > 0 else { return stream }
        func frame(_ share: Double) -> Int { Swift.min(block.frameCount, Int(share * duration * rate)) }
        var damaged = stream
        switch fault {
        case .deadBattery:
            damaged.segments = [Segment(start: stream.segments[0].start, block: block.frames(0..<frame(0.4)))]
        case .lostStretch:
            let (first, last) = (frame(0.4), frame(0.6))
            let gap = Gap(
                onset: Double(first) / rate, duration: Double(last - first) / rate, reason: .deviceLost)
            let start = SegmentStart(onset: Double(last) / rate, sample: last, sampleRate: rate, gap: gap)
            damaged.segments = [
                Segment(start: stream.segments[0].start, block: block.frames(0..<first)),
                Segment(start: start, block: block.frames(last..<block.frameCount)),
            ]
        default: return stream
        }
        damaged.header.frameCount = damaged.segments.reduce(0) { $0 + $1.block.frameCount }
        return damaged
    }
}
