import Brain
import Quality
public import Signals

/// The stages for one EEG stream, wired together: samples → cleaning → epochs → features, and beside them blinks and
/// quality. Live or from a file, in whatever pieces the samples come, the results are the same to the bit as long as
/// acceleration and contact are not later than the patience of `HeadGate`.
public struct BrainTrack {
    /// What is computed.
    public struct Outputs: OptionSet, Sendable {
        /// One bit per output.
        public let rawValue: Int
        /// The outputs of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Features of epochs.
        public static let features = Outputs(rawValue: 1)
        /// Blinks and saccades.
        public static let eyes = Outputs(rawValue: 2)
        /// Windows of signal quality.
        public static let quality = Outputs(rawValue: 4)
        /// Sleep and wake.
        public static let sleep = Outputs(rawValue: 8)
        /// The connectivity of pairs of channels, whose number grows with the square of the channels'.
        public static let connectivity = Outputs(rawValue: 16)
        /// The covariance of the channels of each epoch, whose size grows with the square of their number.
        public static let covariances = Outputs(rawValue: 32)
        /// The spectra of the whole recording, which reports draw, where features are computed.
        public static let overview = Outputs(rawValue: 64)
        /// Everything that an analysis tells.
        public static let all: Outputs = [.features, .eyes, .quality, .sleep, .connectivity, .overview]
        /// Whether quality is judged: where it is bad, no blinks can be seen.
        var needAssessor: Bool { contains(.quality) || contains(.eyes) }
        /// Whether cleaned epochs are needed.
        var needEpochs: Bool { !isDisjoint(with: [.sleep, .covariances]) || !measures.isEmpty }
        /// What is measured of cleaned epochs.
        var measures: EpochFeatures.Outputs {
            var measures: EpochFeatures.Outputs = []
            if contains(.features) { measures.insert(.channels) }
            if contains(.connectivity) { measures.insert(.pairs) }
            if isSuperset(of: [.features, .overview]) { measures.insert(.overview) }
            return measures
        }
    }

    /// What was computed so far. Nothing is told before the signal's size was found to go with its unit.
    public internal(set) var result: BrainResult
    private let outputs: Outputs
    private var preparation: EEGPreparation
    private var gate: HeadGate
    private var measuring: EpochFeatures
    private var sleeping: SleepMeasures
    private var sleepMeasures: [SleepMeasure] = []
    private var toning: MuscleTones?
    private var tones: [MuscleTone] = []
    private var watching: EyeActivities?
    private var activities: [EyeActivity] = []
    /// The channels that blinks are seen in.
    private let blinkChannels: [Int]
    private var assessor: BrainAssessor
    private var motion: HeadMotion?
    private var contact: HeadContact?
    private var contacts: [HeadContact.Second] = []
    private var check = UnitWatch()
    private var held: BrainResult
    private let nothing: BrainResult
    private var judged: [BrainWindow] = []
    private var run: (start: SegmentStart, frames: Int)?
    private var epochs: [Epoch] = []
    private var passed: [Epoch] = []
    private var moved: [HeadMotion.Second] = []
    private var measured: [EEGValues] = []
    private var lastOnset = -Seconds.infinity

    /// A track for `source`, whose acceleration's stream is declared in `header`.
    /// - Throws: `BrainError`, `FilterDesignError` or `EEGReferenceError` for the first parameter that does not suit
    ///   the stream.
    public init(
        _ source: BrainSource, in header: RecordingHeader, parameters: Parameters, computing outputs: Outputs = .all
    ) throws {
        let brain = parameters.eeg
        preparation = try EEGPreparation(
            channels: source.channels, sampleRate: source.sampleRate, cleaning: brain.cleaning, epochs: brain.epochs,
            takesSeconds: outputs.needAssessor)
        measuring = try EpochFeatures(
            labels: preparation.labels, parameters: brain.usedFeatures(), computing: outputs.measures,
            reach: brain.reach)
        sleeping = SleepMeasures(labels: preparation.labels, parameters: brain.epochs, lowest: brain.cleaning.lowest)
        if outputs.contains(.sleep), let muscle = source.muscle { toning = MuscleTones(sampleRate: muscle.sampleRate) }
        if outputs.contains(.sleep), let eyes = source.eyes {
            watching = EyeActivities(eyes.leads.map(\.lead), sampleRate: eyes.sampleRate)
        }
        self.outputs = outputs
        if let acceleration = source.acceleration, header.streams.indices.contains(acceleration.stream) {
            let stream = header.streams[acceleration.stream]
            motion = HeadMotion(channels: stream.channels, sampleRate: stream.sampleRate)
        }
        contact = source.contact.map { HeadContact(sampleRate: $0.sampleRate, electrodes: $0.electrodes.count) }
        gate = HeadGate(hasMotion: motion != nil, electrodes: contact == nil ? nil : preparation.sources)
        assessor = BrainAssessor(
            channels: source.channels, sampleRate: source.sampleRate, hasMotion: motion != nil,
            hasContact: contact != nil, parameters: parameters.quality)
        assessor.keepsFindings = true
        blinkChannels = assessor.blinkChannels
        result = BrainResult(source: source, labels: preparation.labels, quality: parameters.quality)
        (held, nothing) = (result, result)
    }

    /// Takes the next piece of the recording; pieces of streams that are of no use here are passed over.
    public mutating func take(_ event: RecordingEvent) {
        if toning != nil { takeTone(event) }
        if watching != nil { takeEyes(event) }
        if contact != nil { takeContact(event) }
        switch event {
        case .segment(let stream, let start) where stream == result.source.stream: begin(start)
        case .samples(let stream, let block) where stream == result.source.stream: push(block)
        case .segment(let stream, let start) where stream == result.source.acceleration?.stream:
            motion?.begin(start, into: &moved)
            passOn()
        case .samples(let stream, let block) where stream == result.source.acceleration?.stream:
            motion?.push(block, into: &moved)
            passOn()
        default: break
        }
    }

    private mutating func takeContact(_ event: RecordingEvent) {
        guard let source = result.source.contact else { return }
        switch event {
        case .segment(let stream, let start) where stream == source.stream: contact?.begin(start, into: &contacts)
        case .samples(let stream, let block) where stream == source.stream:
            contact?.push(source.contact(in: block), into: &contacts)
        default: return
        }
        passOn()
    }

    private mutating func takeTone(_ event: RecordingEvent) {
        guard let muscle = result.source.muscle else { return }
        switch event {
        case .segment(let stream, let start) where stream == muscle.stream: toning?.begin(start, into: &tones)
        case .samples(let stream, let block) where stream == muscle.stream && muscle.channel < block.channelCount:
            let samples = Array(block.samples[block.range(ofChannel: muscle.channel)])
            toning?.push(SampleBlock(channelCount: 1, samples: samples), into: &tones)
        default: break
        }
    }

    private mutating func takeEyes(_ event: RecordingEvent) {
        guard let eyes = result.source.eyes else { return }
        switch event {
        case .segment(let stream, let start) where stream == eyes.stream: watching?.begin(start, into: &activities)
        case .samples(let stream, let block) where stream == eyes.stream:
            watching?.push(eyes.leads(in: block), into: &activities)
        default: break
        }
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish() {
        closeRun()
        motion?.finish(into: &moved)
        contact?.finish(into: &contacts)
        passOn()
        if outputs.needAssessor { assessor.finish(into: &judged) }
        handSeconds()
        if outputs.needEpochs { preparation.finish(into: &epochs) }
        passOn()
        gate.finish(into: &passed)
        measure()
        measuring.finish(into: &measured)
        sleeping.finish(into: &sleepMeasures)
        toning?.finish(into: &tones)
        watching?.finish(into: &activities)
        hand(isEnd: true)
        guard result.doubt == nil else { return }
        if outputs.contains(.sleep) { result.sleep = EEGSleep.epochs(sleepMeasures, tones: tones, eyes: activities) }
        result.overview = outputs.measures.contains(.overview) ? measuring.overview : nil
        result.reconstruction = preparation.reconstruction
    }

    private mutating func begin(_ start: SegmentStart) {
        closeRun()
        run = (start, 0)
        if outputs.needAssessor { assessor.begin(start, into: &judged) }
        handSeconds()
        if outputs.needEpochs { preparation.begin(start, into: &epochs) }
        check.start(channels: result.source.channels, sampleRate: result.source.sampleRate)
        passOn()
    }

    private mutating func push(_ whole: SampleBlock) {
        let block = whole.channels(result.source.places)
        run?.frames += block.frameCount
        check.push(block)
        if outputs.needAssessor { assessor.push(block, into: &judged) }
        handSeconds()
        if outputs.needEpochs { preparation.push(block, into: &epochs) }
        passOn()
    }

    /// Asks for what `takeOffHead` tells.
    mutating func watchOffHead() { assessor.watchesOffHead = true }

    /// Whether what came since this was asked last ends with two seconds, or more, of a headband that is off the head;
    /// quality tells it seconds later.
    mutating func takeOffHead() -> Bool {
        let moment = assessor.takeOffHead()
        return moment != nil && result.doubt == nil
    }

    /// What the assessor measured of the raw EEG, the preparation need not measure again.
    private mutating func handSeconds() {
        for second in assessor.takeSeconds() {
            let isThere = second.channels.isEmpty || blinkChannels.contains { second.channels[$0].missing < 0.5 }
            result.unseen.bySamples.take(from: second.onset + 0.5, to: second.onset + 0.5, isGood: isThere)
            if outputs.needEpochs { preparation.take(second) }
        }
    }

    private mutating func closeRun() {
        guard let run, run.frames > 0 else { return }
        held.runs.append(run.start.onset..<run.start.onset(ofOffset: run.frames))
        self.run = nil
    }

    private mutating func passOn() {
        for second in moved {
            gate.take(second, into: &passed)
            if outputs.needAssessor { assessor.take(second, into: &judged) }
        }
        moved.removeAll(keepingCapacity: true)
        for second in contacts {
            gate.take(second, into: &passed)
            if outputs.needAssessor { assessor.take(second, into: &judged) }
        }
        contacts.removeAll(keepingCapacity: true)
        for epoch in epochs { gate.take(epoch, into: &passed) }
        epochs.removeAll(keepingCapacity: true)
        measure()
        hand(isEnd: false)
    }

    /// Epochs of one run follow one another; where one is torn or left out, nothing may span it.
    private mutating func measure() {
        for epoch in passed {
            if epoch.frameCount == 0 || epoch.onset > lastOnset + epoch.duration {
                let start = SegmentStart(onset: epoch.onset, sample: 0, sampleRate: epoch.sampleRate)
                measuring.begin(start, into: &measured)
            }
            lastOnset = epoch.onset
            let one = [epoch]
            if !outputs.measures.isEmpty { measuring.push(one.span, into: &measured) }
            if outputs.contains(.sleep) { sleeping.push(one.span, into: &sleepMeasures) }
            if outputs.contains(.covariances) { held.covariances.append(EpochCovariance(epoch)) }
        }
        passed.removeAll(keepingCapacity: true)
    }

    /// Takes over what has become known, once the signal's size has been found to be an EEG's.
    private mutating func hand(isEnd: Bool) {
        let seen = assessor.takeEyeEvents()
        if outputs.contains(.eyes) { held.eyes += seen }
        for value in measured {
            switch value {
            case .channels(let values): held.epochs.append(contentsOf: CollectionOfOne(values))
            case .pairs(let values): held.pairs.append(contentsOf: values.rows)
            }
        }
        measured.removeAll(keepingCapacity: true)
        for window in judged {
            let isOn = !window.whole.reasons.contains(.headbandOffHead)
            let isSeen = isOn && blinkChannels.contains { window.channels[$0].isGood }
            result.unseen.byQuality.take(window.whole, isGood: isSeen)
        }
        if outputs.contains(.quality) { held.quality += judged.map(\.whole) }
        judged.removeAll(keepingCapacity: true)
        let verdict = check.verdict(isEnd: isEnd)
        result.doubt = verdict.doubt(declared: result.source.declaredUnit)
        if result.doubt == nil, verdict != .undecided || isEnd {
            result.epochs.append(contentsOf: held.epochs)
            result.pairs.append(contentsOf: held.pairs)
            result.eyes += held.eyes
            result.covariances += held.covariances
            for window in held.quality { result.quality.append(window.sharing(reasonsOf: result.quality.last)) }
            result.runs += held.runs
        } else if result.doubt == nil {
            return
        }
        held = nothing
    }
}
