import Signals

/// The analysis of one run at the working rate.
struct ElectrodermalRun: Sendable {
    private let onset: Seconds
    private let rate: Double
    private let outputs: ElectrodermalStage.Outputs
    private var marks: ArtefactMarks
    private var smoother: ConductanceSmoother
    private var separator: any Separator
    private var ripples: RippleRemoval
    private var detector: ResponseDetector
    /// What waits for one another, each from the sample `given` on.
    private var raw: [Double] = []
    private var smooth: [Double] = []
    /// Without the ripples of breathing and of the pulse.
    private var even: [EvenSample] = []
    private var artefacts: [Bool] = []
    /// Whether a value only bridges a hole: responses are looked for in it, nothing else is.
    private var bridges: [Bool] = []
    private var components: [Components] = []
    private var given = 0
    /// How many of the samples that wait the detector has had.
    private var detected = 0
    private var places: [ResponsePlaces] = []

    init(
        _ parameters: ElectrodermalParameters, computing outputs: ElectrodermalStage.Outputs, onset: Seconds,
        sampleRate: Double
    ) {
        (self.onset, rate, self.outputs) = (onset, sampleRate, outputs)
        marks = ArtefactMarks(parameters.artefacts, sampleRate: sampleRate)
        smoother = ConductanceSmoother(sampleRate: sampleRate)
        separator = parameters.separator(sampleRate: sampleRate)
        ripples = RippleRemoval(parameters.responses, sampleRate: sampleRate)
        detector = ResponseDetector(parameters.responses, sampleRate: sampleRate)
    }

    /// The step between the values of the converter that the conductance comes from, µS; 0 where it is fine.
    var quantisationStep: Double {
        get { detector.quantisationStep }
        set { detector.quantisationStep = newValue }
    }

    /// Takes the next value.
    /// - Parameter isMissing: whether it stands on the line over a hole.
    mutating func take(_ value: Double, isMissing: Bool = false, into list: inout [ElectrodermalOutput]) {
        raw.append(value)
        bridges.append(isMissing)
        if outputs.contains(.responses) { ripples.take(value, into: &even) }
        if let mark = marks.take(value) { settle(mark) }
        advance(into: &list)
    }

    /// What the next sample without a mark is: only then may it be smoothed and taken apart.
    private mutating func settle(_ mark: Bool) {
        artefacts.append(mark)
        guard outputs.contains(.samples) else { return }
        let place = artefacts.count - 1
        if let smoothed = smoother.take(raw[place], isArtefact: mark || bridges[place]) { separate(smoothed) }
    }

    private mutating func separate(_ smoothed: Double) {
        let place = smooth.count
        separator.take(smoothed, isArtefact: artefacts[place] || bridges[place], into: &components)
        smooth.append(smoothed)
    }

    mutating func finish(into list: inout [ElectrodermalOutput]) {
        for mark in marks.finish() { settle(mark) }
        if outputs.contains(.samples) {
            for smoothed in smoother.finish() { separate(smoothed) }
            separator.finish(into: &components)
        }
        if outputs.contains(.responses) { ripples.finish(into: &even) }
        advance(into: &list)
        detector.finish(into: &places)
        giveResponses(into: &list)
    }

    private mutating func advance(into list: inout [ElectrodermalOutput]) {
        if outputs.contains(.responses) {
            while detected < min(artefacts.count, even.count) {
                detector.push(even[detected], artefacts[detected], into: &places)
                detected += 1
            }
        } else {
            detected = artefacts.count
        }
        giveResponses(into: &list)
        let ready = outputs.contains(.samples) ? min(components.count, detected) : 0
        for k in 0..<ready where !bridges[k] {
            list.append(
                .sample(
                    ElectrodermalSample(
                        onset: onset + Double(given + k) / rate, raw: Float(raw[k]), conductance: Float(smooth[k]),
                        tonic: Float(components[k].tonic), phasic: Float(components[k].phasic),
                        isArtefact: artefacts[k])))
        }
        drop(outputs.contains(.samples) ? ready : detected > 4_096 ? detected : 0)
    }

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        given += count
        detected -= count
        raw.removeFirst(count)
        artefacts.removeFirst(count)
        bridges.removeFirst(count)
        smooth.removeFirst(min(count, smooth.count))
        even.removeFirst(min(count, even.count))
        components.removeFirst(min(count, components.count))
    }

    private mutating func giveResponses(into list: inout [ElectrodermalOutput]) {
        // Nearly always: emptying an empty list takes longer than a sample's search.
        guard !places.isEmpty else { return }
        for place in places {
            list.append(
                .response(
                    SkinConductanceResponse(
                        onset: onset + place.onset / rate, peak: onset + place.peak / rate,
                        amplitude: place.amplitude, level: place.level,
                        halfRecovery: place.halfRecovery.map { $0 / rate },
                        isDoubtful: place.isDoubtful)))
        }
        places.removeAll(keepingCapacity: true)
    }
}
