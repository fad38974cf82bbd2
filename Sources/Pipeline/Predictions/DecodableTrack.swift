import Brain
public import Decoding
public import Signals

/// From one EEG stream to epochs as models see them: cleaned, cut, judged with the acceleration and the contact
/// beside it, made into features. Live or from a file, in whatever pieces the samples come, the epochs are the same to the
/// bit as long as these are not later than the patience of `HeadGate`.
public struct DecodableTrack {
    /// The stream.
    public let source: BrainSource
    /// What the features are.
    public let layout: FeatureLayout
    private var preparation: EEGPreparation
    private var assembly: FeatureAssembly
    private var motion: HeadMotion?
    private var contact: HeadContact?
    private var gate: HeadGate
    private var epochs: [Epoch] = []
    private var passed: [Epoch] = []
    private var moved: [HeadMotion.Second] = []
    private var contacts: [HeadContact.Second] = []

    /// A track for `source`, whose acceleration's stream is declared in `header`.
    /// - Parameter model: what the epochs are for: EEG is cleaned, cut and measured as it was for that model. Nil for the
    ///   cleaning and the epochs of `parameters` and the usual features.
    /// - Parameter leftOut: labels of channels that are left out; of a model's EEG those that were left out for it.
    /// - Throws: `BrainError`, `FilterDesignError` or `EEGReferenceError` for the first parameter that does not suit
    ///   the stream; `PipelineError` where a channel to be left out is not there, or none would be left.
    public init(
        _ source: BrainSource, in header: RecordingHeader, parameters: Parameters,
        model: FeatureLayout? = nil, leavingOut leftOut: [String] = []
    ) throws {
        let leftOut = model.map { $0.leftOut ?? [] } ?? leftOut
        let source = try source.leavingOut(leftOut, isDemanded: model == nil)
        self.source = source
        let cleaning = model?.cleaning ?? parameters.eeg.cleaning
        let epochs = model?.epochs ?? parameters.eeg.epochs
        preparation = try EEGPreparation(
            channels: source.channels, sampleRate: source.sampleRate, cleaning: cleaning, epochs: epochs)
        layout = try FeatureLayout(
            labels: preparation.labels, sampleRate: source.sampleRate,
            parameters: model?.parameters ?? FeatureLayout.defaultParameters, cleaning: cleaning, epochs: epochs,
            leavingOut: leftOut)
        assembly = try FeatureAssembly(layout)
        if let acceleration = source.acceleration, header.streams.indices.contains(acceleration.stream) {
            let stream = header.streams[acceleration.stream]
            motion = HeadMotion(channels: stream.channels, sampleRate: stream.sampleRate)
        }
        contact = source.contact.map { HeadContact(sampleRate: $0.sampleRate, electrodes: $0.electrodes.count) }
        gate = HeadGate(hasMotion: motion != nil, electrodes: contact == nil ? nil : preparation.sources)
    }

    /// Takes the next piece of the recording; pieces of streams that are of no use here are passed over.
    public mutating func take(_ event: RecordingEvent, into outputs: inout [DecodableEpoch]) {
        switch event {
        case .segment(source.stream, let start): preparation.begin(start, into: &epochs)
        case .samples(source.stream, let block): preparation.push(block.channels(source.places), into: &epochs)
        case .segment(let stream, let start) where stream == source.acceleration?.stream:
            motion?.begin(start, into: &moved)
        case .samples(let stream, let block) where stream == source.acceleration?.stream:
            motion?.push(block, into: &moved)
        case .segment(let stream, let start) where stream == source.contact?.stream:
            contact?.begin(start, into: &contacts)
        case .samples(let stream, let block) where stream == source.contact?.stream:
            if let told = source.contact?.contact(in: block) { contact?.push(told, into: &contacts) }
        default: return
        }
        passOn(into: &outputs)
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish(into outputs: inout [DecodableEpoch]) {
        motion?.finish(into: &moved)
        contact?.finish(into: &contacts)
        preparation.finish(into: &epochs)
        passOn(into: &outputs)
        gate.finish(into: &passed)
        handOut(into: &outputs)
    }

    private mutating func passOn(into outputs: inout [DecodableEpoch]) {
        for second in moved { gate.take(second, into: &passed) }
        moved.removeAll(keepingCapacity: true)
        for second in contacts { gate.take(second, into: &passed) }
        contacts.removeAll(keepingCapacity: true)
        for epoch in epochs { gate.take(epoch, into: &passed) }
        epochs.removeAll(keepingCapacity: true)
        handOut(into: &outputs)
    }

    private mutating func handOut(into outputs: inout [DecodableEpoch]) {
        for epoch in passed { outputs.append(assembly.decodable(epoch)) }
        passed.removeAll(keepingCapacity: true)
    }
}
