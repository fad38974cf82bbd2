import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let rate = 128.0

/// Traces of an electro-oculogram in µV, thirty seconds by thirty.
private enum Trace {
    static let seconds = 30.0

    static func of(_ value: (Double) -> Double) -> [Float] {
        (0..<Int(seconds * rate)).map { Float(value(Double($0) / rate)) }
    }

    /// The lids close and open within 0.3 s, every three seconds.
    static let blinks = of { time in
        let phase = time.truncatingRemainder(dividingBy: 3) - 1
        let turn = 2 * Double.pi * phase / 0.3
        return phase >= 0 && phase < 0.3 ? 75 * (1 - cos(turn)) : 0
    }

    /// Lines of three seconds, read in eight steps, and back to the next line's beginning.
    static let reading = of { time in
        let phase = time.truncatingRemainder(dividingBy: 3) / 3
        let word = (phase / 0.95 * 8).rounded(.down)
        return phase < 0.95 ? 18 * word : 144 * (1 - phase) / 0.05
    }

    /// Saccades to either side at irregular times.
    static let rapid: [Float] = {
        var random = RandomSource(seed: 5, "saccades")
        var (level, next, goal) = (0.0, 1.0, 0.0)
        return of { time in
            if time >= next {
                goal = (goal > 0 ? -1 : 1) * random.uniform(40...120)
                next = time + random.uniform(0.7...3)
            }
            level += (goal - level) * 0.15
            return level
        }
    }()

    static func sine(_ frequency: Double, _ size: Double) -> [Float] {
        of { time in size * sin(2 * Double.pi * frequency * time) }
    }
}

private func activity(_ samples: [Float], _ lead: EyeLead) -> EyeActivity? {
    let block = SampleBlock(channelCount: 1, samples: samples)
    return run(EyeActivities([lead], sampleRate: rate), block, sampleRate: rate).first
}

@Test("Blinks are counted in a vertical lead, whichever way it is connected")
func blinksAreCounted() throws {
    for sign in [Float(1), -1] {
        let eyes = try #require(activity(Trace.blinks.map { sign * $0 }, .vertical))
        #expect(eyes.blinks == 10 && eyes.rapid == 20 && eyes.onset == 0)
    }
    // Other leads do not tell them from other movements.
    #expect(activity(Trace.blinks, .horizontal)?.blinks == 0 && activity(Trace.blinks, .both)?.blinks == 0)
}

@Test("Reading is slow to one side and rapid back, again and again the same way")
func readingIsSeen() throws {
    let eyes = try #require(activity(Trace.reading, .horizontal))
    #expect((8...10).contains(eyes.sweeps) && eyes.blinks == 0)
    let saccades = try #require(activity(Trace.rapid, .horizontal))
    #expect(saccades.sweeps < 4 && (saccades.rapid ?? 0) >= 10)
}

/// Half a sine of 500 ms lies between rapid and slow.
@Test("Movements are rapid up to half a second", arguments: [(1.15, 60), (0.87, 0), (0.3, 0)] as [(Double, Int)])
func rapidMovementsAreTold(frequency: Double, least: Int) throws {
    let found = try #require(activity(Trace.sine(frequency, 100), .both)?.rapid)
    // Of the first and the last movement a part is cut off.
    #expect(least == 0 ? found <= 2 : found >= least, "\(found)")
}

@Test("What is small is no movement, nor what a movement of the head gives; what is missing is not known")
func quietEyes() {
    #expect(activity(Trace.sine(1.5, 20), .both)?.rapid == 0)
    #expect(activity(Trace.sine(1.5, 2_000), .both)?.rapid == 0)
    var torn = Trace.blinks
    for place in 0..<torn.count * 2 / 3 { torn[place] = .nan }
    let eyes = activity(torn, .vertical)
    #expect(eyes != nil && eyes?.rapid == nil && eyes?.blinks == 0)
}

@Test("What the eyes did does not depend on how the recording was cut")
func eyesAreChunkInvariant() {
    let rows = [Trace.blinks + Trace.rapid + Trace.blinks, Trace.reading + Trace.reading + Trace.rapid]
    let signal = SampleBlock(channelCount: 2, samples: rows.flatMap { $0 })
    let all = Array(0..<signal.frameCount)
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: rate) }
    let found = assertChunkInvariant(
        CutBlocks(inner: EyeActivities([.vertical, .horizontal], sampleRate: rate), signal: signal),
        [(start(0), Array(all[..<9_000])), (start(120), Array(all[9_000...]))], cuts: 3, sampleBySample: false)
    #expect(found.contains { $0.rapid != nil } && found.contains { $0.rapid == nil })
}

/// A night's measures: wake, sleep, and 40 epochs of drowsy wake that the EEG leaves just on the side of sleep.
private let night: (measures: [SleepMeasure], kinds: [String]) = {
    var random = RandomSource(seed: 6, "drowsy")
    let kinds = [("wake", 60), ("light", 60), ("deep", 80), ("drowsy", 40), ("light", 60), ("wake", 40)].flatMap {
        Array(repeating: $0.0, count: $0.1)
    }
    let measures = kinds.enumerated().map { index, kind -> SleepMeasure in
        let (ratio, slope): (Double, Double) =
            switch kind {
            case "wake": (-0.6, -2.2)
            case "light": (-1.8, -2.4)
            case "deep": (-2.6, -2.4)
            default: (-1.25, -2.2)
            }
        return SleepMeasure(
            onset: Double(index) * 30, fastToSlow: ratio + 0.05 * random.gaussian(),
            slope: slope + 0.05 * random.gaussian())
    }
    return (measures, kinds)
}()

/// How many of the drowsy epochs are told to be wake, and of those of deep sleep.
private func awake(_ eyes: (Seconds) -> EyeActivity, tone: Double? = nil) -> (drowsy: Int, deep: Int) {
    let (measures, kinds) = night
    let tones = zip(measures, kinds).map { measure, kind -> MuscleTone in
        let level = ["wake": 2.2, "light": 1.2, "deep": 1.1][kind] ?? tone
        return MuscleTone(onset: measure.onset, level: level)
    }
    let seen = zip(measures, kinds).filter { ["drowsy", "deep"].contains($0.1) }.map { eyes($0.0.onset) }
    let epochs = EEGSleep.epochs(measures, tones: tone == nil ? [] : tones, eyes: seen)
    func count(_ kind: String) -> Int { zip(epochs, kinds).count { $1 == kind && $0.asleep == 0 } }
    return (count("drowsy"), count("deep"))
}

@Test("Who blinks or reads is awake where the EEG is near its limit, and only there")
func wakefulEyesDecideNearTheLimit() {
    for quiet in [0, nil] {
        let found = awake { EyeActivity(onset: $0, rapid: quiet, blinks: quiet == nil ? 5 : 0) }
        #expect(found.drowsy == 0 && found.deep == 0)
    }
    for (blinks, sweeps) in [(5, 0), (0, 6)] {
        let found = awake { EyeActivity(onset: $0, rapid: 10, blinks: blinks, sweeps: sweeps) }
        // The first and the last are next to sleep.
        #expect(found.drowsy >= 36 && found.deep == 0, "\(found)")
    }
}

@Test(
    "Rapid eye movements say awake with a tone of the chin that is not low; with a low one they are REM sleep's",
    arguments: [(nil, 0, false), (1.6, 0, true), (0.3, 0, false), (0.3, 8, false)] as [(Double?, Int, Bool)])
func rapidMovementsNeedATone(tone: Double?, blinks: Int, isAwake: Bool) {
    let found = awake({ EyeActivity(onset: $0, rapid: 8, blinks: blinks) }, tone: tone)
    #expect(isAwake ? found.drowsy >= 36 : found.drowsy == 0)
    #expect(found.deep == 0)
}
