import Kernels
import Signals

/// One lead of a simulated ECG: the amplitudes of its waves in mV. R is the largest wave of a lead.
public struct ECGLead: Hashable, Codable, Sendable {
    /// The lead's name.
    public var label: String
    /// Amplitudes of a normal beat's waves in mV.
    public var p: Double = 0.15
    /// See `p`.
    public var q: Double = -0.10
    /// See `p`.
    public var r: Double = 1.1
    /// See `p`.
    public var s: Double = -0.25
    /// See `p`.
    public var t: Double = 0.30
    /// Multiplies all waves; negative for a lead with reversed polarity.
    public var gain: Double = 1

    /// A lead with the waves of lead II.
    public init(label: String = "II", gain: Double = 1) {
        self.label = label
        self.gain = gain
    }

    /// Lead II.
    public static let ii = ECGLead()
    /// Lead V5: a taller R, a deeper S.
    public static let v5: ECGLead = {
        var lead = ECGLead(label: "V5")
        lead.p = 0.08
        lead.q = -0.15
        lead.r = 1.5
        lead.s = -0.45
        lead.t = 0.35
        return lead
    }()

    /// Distance in mV from the lowest to the highest point of a normal beat's QRS complex.
    public var peakToPeak: Double { abs(gain) * (r - Swift.min(q, s)) }
}

/// The form of a simulated ECG.
public struct ECGParameters: Hashable, Codable, Sendable {
    /// The leads, each a channel.
    public var leads: [ECGLead] = [.ii]
    /// Samples per second.
    public var sampleRate: Double = 250
    /// Depth of the modulation of all amplitudes by breathing, 0…1.
    public var respiratoryAmplitude: Double = 0.08
    /// Amplitude in mV of the shift of the baseline by breathing. It moves an R peak by less than 0.05 ms.
    public var respiratoryBaseline: Double = 0.03
    /// QT interval in ms at an interval of 1 s; it varies with the interval's cube root (Fridericia).
    public var qt: Double = 390
    /// Duration of a ventricular beat's QRS complex in ms.
    public var ventricularQRS: Double = 150
    /// Amplitude in mV of the fibrillatory waves of atrial fibrillation.
    public var fibrillation: Double = 0.06

    /// Lead II at 250 Hz.
    public init() {}
}

/// The waves of heart beats in an ECG.
///
/// Every wave has a finite length, and near an R peak no other wave is drawn: the noiseless signal's extreme lies at
/// the beat's time exactly. A T wave that would reach into the next QRS complex is shortened.
struct ECGMorphology: Morphology {
    let parameters: ECGParameters
    let respirationRate: Double

    var channelCount: Int { parameters.leads.count }
    var longestLead: Seconds { 0.3 }

    func waves(of beat: SimulatedBeat, next: SimulatedBeat) -> [[Bump]] {
        let breath = Elementary.sine(turns: respirationRate * beat.onset)
        let scale = 1 + parameters.respiratoryAmplitude * breath
        return parameters.leads.map { lead in
            let gain = lead.gain * scale
            return beat.kind == .ventricular
                ? ventricular(beat, next: next, lead, gain: gain) : conducted(beat, next: next, lead, gain: gain)
        }
    }

    private func conducted(_ beat: SimulatedBeat, next: SimulatedBeat, _ lead: ECGLead, gain: Double) -> [Bump] {
        let r = beat.onset
        var waves = [
            Bump(peak: r - 0.030, rise: 0.022, fall: 0.022, amplitude: gain * lead.q),
            Bump(peak: r, rise: 0.035, fall: 0.035, amplitude: gain * lead.r),
            Bump(peak: r + 0.034, rise: 0.026, fall: 0.026, amplitude: gain * lead.s),
        ]
        // A P wave needs room after the T wave before it.
        if beat.hasPWave, beat.interval > 0.42 {
            let pr = beat.interval < 0.6 ? 0.12 : 0.16
            waves.append(
                Bump(
                    peak: r - pr, rise: 0.055, fall: Swift.min(0.055, pr - 0.06), amplitude: gain * lead.p))
        }
        if !beat.hasPWave { waves += fibrillation(from: beat, to: next, gain: gain) }
        if let t = repolarisation(beat, next: next, qrsEnd: 0.06, amplitude: gain * lead.t) { waves.append(t) }
        return waves
    }

    private func ventricular(_ beat: SimulatedBeat, next: SimulatedBeat, _ lead: ECGLead, gain: Double) -> [Bump] {
        let half = parameters.ventricularQRS / 2_000
        var waves = [
            Bump(peak: beat.onset, rise: half, fall: half, amplitude: gain * lead.r * 1.2),
            Bump(peak: beat.onset + half * 1.4, rise: half, fall: half * 1.2, amplitude: gain * lead.s),
        ]
        // The T wave points against the QRS complex.
        if let t = repolarisation(beat, next: next, qrsEnd: half * 1.6, amplitude: -gain * lead.r * 0.35) {
            waves.append(t)
        }
        return waves
    }

    /// The T wave: the QT interval ends with it, and it ends before the next QRS complex.
    private func repolarisation(
        _ beat: SimulatedBeat, next: SimulatedBeat, qrsEnd: Seconds, amplitude: Double
    ) -> Bump? {
        let rr = Swift.min(Swift.max(beat.interval, 0.3), 1.8)
        let qt = parameters.qt / 1_000 * Elementary.exp(Elementary.log(rr) / 3) + Swift.max(0, qrsEnd - 0.06)
        let nextHalf = next.kind == .ventricular ? parameters.ventricularQRS / 2_000 : 0.055
        // QT counts from the QRS onset, 50 ms before R.
        let end = Swift.min(qt - 0.05 + 0.04, next.onset - beat.onset - nextHalf)
        let room = end - qrsEnd * 0.8
        guard room > 0.06 else { return nil }
        let fall = Swift.min(0.13, room * 0.42)
        let rise = Swift.min(0.18, room - fall)
        return Bump(peak: beat.onset + end - fall, rise: rise, fall: fall, amplitude: amplitude)
    }

    /// Fibrillatory waves, six or so a second, between this QRS complex and the next one.
    private func fibrillation(from beat: SimulatedBeat, to next: SimulatedBeat, gain: Double) -> [Bump] {
        let room = next.onset - beat.onset - 0.13
        guard room > 0.1 else { return [] }
        let count = Swift.max(1, Int((room * 6.3).rounded()))
        let length = room / Double(count)
        return (0..<count).map { index in
            let start = beat.onset + 0.07 + Double(index) * length
            return Bump(
                peak: start + length * 0.4, rise: length * 0.4, fall: length * 0.6,
                amplitude: gain * parameters.fibrillation)
        }
    }
}

/// Draws a simulated ECG in successive blocks.
public struct ECGSignal: Sendable {
    /// The form of the signal.
    public let parameters: ECGParameters
    private let respirationRate: Double
    private var queue: WaveQueue<ECGMorphology>

    /// The ECG of `rhythm`, in mV, without noise; breathing modulates it at `respirationRate` Hz.
    public init(_ parameters: ECGParameters, rhythm: HeartRhythm, respirationRate: Double) {
        self.parameters = parameters
        self.respirationRate = respirationRate
        let morphology = ECGMorphology(parameters: parameters, respirationRate: respirationRate)
        queue = WaveQueue(morphology, rhythm: rhythm, sampleRate: parameters.sampleRate)
    }

    /// The samples of `frames` in mV, an array per lead; sample i is at i/`sampleRate` seconds. Each call must go on
    /// where the last one ended.
    public mutating func render(_ frames: Range<Int>) -> [[Double]] {
        var leads = queue.render(frames)
        guard parameters.respiratoryBaseline != 0 else { return leads }
        for frame in frames {
            let turns = respirationRate * Double(frame) / parameters.sampleRate
            let shift = parameters.respiratoryBaseline * Elementary.sine(turns: turns)
            for lead in leads.indices { leads[lead][frame - frames.lowerBound] += shift }
        }
        return leads
    }
}
