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

    mutating func finishPath(lowCount: Int, total: Int) {
        low.append(repeating: low[low.end - 1], max(peak.lowReach, QRSShapes.lowReach, step.reach))
        weigh(upTo: blocks)
        account?.note(settledUntil: .infinity)
        take(limit: .infinity, now: Double(lowCount) / frame.lowRate)
        account?.end(at: Double(total) / frame.sampleRate)
        for index in found.indices { found[index].place = min(found[index].place, Double(total - 1)) }
    }

    @inline(never)
    private mutating func take(limit: Double, now: Double) {
        path.settle(upTo: limit, now: now)
        for node in path.settled {
            lastBeat = Int((node.time * frame.lowRate).rounded())
            // Of a complex that the run's start cuts off, the top may lie before it, where nothing was measured.
            let place = max(0, locate(node, at: lastBeat))
            let confidence = Float(1 / (1 + exp(-2 * node.score)))
            var followsSilence = false
            if let silence = silences.first, silence <= lastBeat {
                followsSilence = true
                silences.removeAll { $0 <= lastBeat }
            }
            account?.note(beat: node.time)
            found.append(Found(place: place, confidence: confidence, followsSilence: followsSilence))
        }
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
                    around: center, deflections, largest: largest, habit: &habit, from: center, input: input.samples)
            }
            level.note(beat: node.height)
            let (shape, origin, likeness) = shapes.note(low.samples, at: center)
            if likeness > 0.95 { habit = shapes.habits[shape] }
            let place = peak.locate(
                around: center, deflections, largest: largest, habit: &habit, from: origin, input: input.samples)
            if likeness > 0.95 { shapes.habits[shape] = habit }
            level.note(size: largest)
            return place
        }
    }
}
