import Foundation
import Kernels

/// How the detector settles which candidates are beats, and finds their R peaks.
extension QRSRun {
    /// Settles the path over all blocks before `end`.
    @inline(__always)
    mutating func settle(upTo end: Int) {
        guard end > 0 else { return }
        let limit = Double(end &* frame.block &- wavelet.reach &- 1) / frame.lowRate
        account?.note(settledUntil: limit)
        if path.first < limit {
            take(limit: limit, now: Double(weighed * frame.block - wavelet.reach - 1) / frame.lowRate)
        }
    }

    /// Settles all that is left.
    /// - Parameter end: the number of input samples after which a gap comes; beyond all where none does.
    mutating func finishPath(lowCount: Int, total: Int, gapAfter end: Int) {
        low.append(repeating: low[low.end - 1], max(peak.lowReach, QRSShapes.lowReach, step.reach))
        weigh(upTo: blocks)
        account?.note(settledUntil: .infinity)
        take(limit: .infinity, now: Double(lowCount) / frame.lowRate, gapAfter: end)
        account?.end(at: Double(total) / frame.sampleRate)
        for index in found.indices { found[index].place = min(found[index].place, Double(total - 1)) }
    }

    /// Alike enough for two beats to have their R peak at the same place.
    private static let leastLikeness: Float = 0.95
    /// Alike enough to beats before for its top to be read as that of a complex.
    private static let leastResemblance: Float = 0.8

    @inline(never)
    private mutating func take(limit: Double, now: Double, gapAfter end: Int = .max) {
        path.settle(upTo: limit, now: now)
        for node in path.settled {
            lastBeat = Int((node.time * frame.lowRate).rounded())
            // Of a complex that the run's start cuts off, the top may lie before it, where nothing was measured.
            let likeness = likenessBesideGap(at: lastBeat, end / frame.factor)
            let place = max(0, locate(node, at: lastBeat))
            let isCut = likeness < Self.leastLikeness
            let confidence = Float(1 / (1 + exp(-2 * node.score)))
            var followsSilence = false
            if let silence = silences.first, silence <= lastBeat {
                followsSilence = true
                silences.removeAll { $0 <= lastBeat }
            }
            account?.note(beat: node.time, isCut: isCut)
            found.append(Found(place: place, confidence: confidence, followsSilence: followsSilence, isCut: isCut))
        }
    }

    /// How alike a beat near a gap, which may have cut its complex, is to the beats before it; 1 elsewhere, and where there
    /// are none.
    private mutating func likenessBesideGap(at center: Int, _ end: Int) -> Float {
        let isNear = center < wavelet.reach || center > end &- wavelet.reach
        return isNear ? shapes.resemblance(low.samples, at: center)?.likeness ?? 1 : 1
    }

    /// Learns from a settled beat, and finds its R peak.
    private mutating func locate(_ node: BeatPath.Node, at center: Int) -> Double {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: peak.room) { memory in
            // Not empty.
            let deflections = memory.baseAddress.unsafelyUnwrapped
            // First, since sums of one value after the other can be left to themselves while shapes are compared.
            let largest = peak.deflect(low.samples, around: center, into: deflections)
            var habit = RPeakHabit()
            guard node.cycle == 0 else {
                // A wave of flutter says nothing about QRS complexes.
                return peak.locate(
                    around: center, deflections, largest: largest, isComplex: false, habit: &habit, from: center,
                    input: input.samples)
            }
            // The edges of wide complexes say nothing about those of narrow ones.
            if !node.isInWideRun { level.note(beat: node.height) }
            let (shape, origin, likeness) = shapes.note(low.samples, at: center)
            if likeness > Self.leastLikeness { habit = shapes.habits[shape] }
            let isComplex = likeness > Self.leastResemblance
            let top = isComplex ? peak.deflectWithoutHum(low.samples, around: center, into: deflections) : largest
            let marked = peak.keepUpward(deflections, largest: top)
            let place = peak.locate(
                around: center, deflections, largest: marked, isComplex: isComplex, habit: &habit, from: origin,
                input: input.samples)
            if likeness > Self.leastLikeness { shapes.habits[shape] = habit }
            level.note(size: largest)
            return place
        }
    }
}
