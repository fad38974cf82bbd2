import Electrodermal
import Foundation
import Kernels
import Signals
import Testing

/// Skin conductance whose electrode shifts at known times, and a hand that moves then, and at other times too.
private struct MovedConductance {
    var samples: [Float]
    var shifts: [Seconds] = []
    var innocent: [Seconds] = []
    var moving: Set<Int> = []

    init(seed: UInt64) {
        let truth = SimulatedConductance(hours: 0.5, interval: 15, seed: seed)
        var random = RandomSource(seed: seed, "shifts")
        samples = truth.samples
        var shift: Float = 0
        var next = 30.0
        for k in samples.indices {
            let time = Double(k) / 4
            if time >= next {
                // Half of the movements shift the electrode, by 1.5 to 2.5 µS down and then back.
                if random.uniform() < 0.5 {
                    shift = shift == 0 ? -Float(random.uniform(1.5...2.5)) : 0
                    shifts.append(time)
                } else {
                    innocent.append(time)
                }
                for second in Int(time) - 1...Int(time) + 1 { moving.insert(second) }
                next = time + random.uniform(25...50)
            }
            samples[k] += shift
        }
    }

    func outputs(cut: Int) throws -> [ElectrodermalOutput] {
        var parameters = ElectrodermalParameters()
        parameters.separation = .highPass
        var stage = try ElectrodermalStage(sampleRate: 4, parameters: parameters)
        var coupling = MotionCoupling(parameters.artefacts, hasMotion: true)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 4)
        var (found, outputs) = ([ElectrodermalOutput](), [ElectrodermalOutput]())
        var second = 0
        stage.begin(start, into: &found)
        coupling.begin(start)
        for first in stride(from: 0, to: samples.count, by: cut) {
            let end = min(first + cut, samples.count)
            stage.push(samples.span.extracting(first..<end), into: &found)
            coupling.push(samples.span.extracting(first..<end))
            while second < end / 4 {
                coupling.take(second: Double(second), movement: moving.contains(second) ? 0.4 : 0.01)
                second += 1
            }
            for output in found { coupling.hold(output) }
            found.removeAll()
            coupling.release(into: &outputs)
        }
        stage.finish(into: &found)
        for output in found { coupling.hold(output) }
        coupling.release(isEnd: true, into: &outputs)
        return outputs
    }
}

@Test(
    "Steps that go with motion are marked, motion without a step and responses while moving are not", arguments: 1...4)
func stepsThatGoWithMotionAreMarked(seed: Int) throws {
    let moved = MovedConductance(seed: UInt64(seed))
    let samples = try moved.outputs(cut: 64).compactMap { output -> ElectrodermalSample? in
        if case .sample(let sample) = output { sample } else { nil }
    }
    #expect(samples.count == moved.samples.count)
    func isMarked(_ time: Seconds) -> Bool { samples.contains { abs($0.onset - time) < 0.6 && $0.isArtefact } }
    #expect(moved.shifts.count >= 10 && moved.innocent.count >= 10)
    #expect(Double(moved.shifts.count(where: isMarked)) >= 0.95 * Double(moved.shifts.count))
    let clear = moved.innocent.filter { time in moved.shifts.allSatisfy { abs($0 - time) > 5 } }
    #expect(Double(clear.count(where: isMarked)) <= 0.05 * Double(clear.count))
    let near = samples.filter { sample in
        sample.isArtefact && moved.shifts.allSatisfy { abs($0 - sample.onset) > 4 }
    }
    #expect(Double(near.count) <= 0.01 * Double(samples.count))
}

@Test("The marks do not depend on how the recording came")
func motionMarksAreChunkInvariant() throws {
    let moved = MovedConductance(seed: 9)
    let whole = try moved.outputs(cut: moved.samples.count)
    func sorted(_ outputs: [ElectrodermalOutput]) -> ([ElectrodermalSample], [SkinConductanceResponse]) {
        var (samples, responses) = ([ElectrodermalSample](), [SkinConductanceResponse]())
        for output in outputs {
            switch output {
            case .sample(let sample): samples.append(sample)
            case .response(let response): responses.append(response)
            }
        }
        return (samples, responses)
    }
    for cut in [4, 28, 400] {
        let other = try moved.outputs(cut: cut)
        #expect(sorted(whole).0 == sorted(other).0)
        #expect(sorted(whole).1 == sorted(other).1)
    }
}

/// CPU time, in seconds, of marking what motion did where a hand never rests and an electrode never sits: a step at
/// every sample.
private func timeToMark(hours: Double) throws -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    var parameters = ElectrodermalParameters()
    parameters.separation = .highPass
    let start = SegmentStart(onset: 0, sample: 0, sampleRate: 4)
    // Steps are told over half a second.
    let second: [Float] = [1, 1, 9, 9]
    let count = Int(hours * 3_600)
    var stage = try ElectrodermalStage(sampleRate: 4, parameters: parameters)
    var (pending, found) = ([ElectrodermalOutput](), [[ElectrodermalOutput]]())
    stage.begin(start, into: &pending)
    for _ in 0..<count {
        stage.push(second.span, into: &pending)
        found.append(pending)
        pending.removeAll()
    }
    let begun = now()
    var coupling = MotionCoupling(parameters.artefacts, hasMotion: true)
    var outputs: [ElectrodermalOutput] = []
    coupling.begin(start)
    for number in 0..<count {
        coupling.push(second.span)
        coupling.take(second: Double(number), movement: 1)
        for output in found[number] { coupling.hold(output) }
        coupling.release(into: &outputs)
    }
    coupling.release(isEnd: true, into: &outputs)
    #expect(outputs.count >= 4 * count - 100)
    return now() - begun
}

@Test("Marking motion takes time in proportion to the recording, however much steps and moves")
func markingMotionIsLinear() throws {
    let short = try (0..<3).map { _ in try timeToMark(hours: 0.1) }.min() ?? 0
    // Ten times as long; were every step compared to every movement, more than a hundred times.
    #expect(try timeToMark(hours: 1) < 40 * short)
}
