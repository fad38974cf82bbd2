import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// What was done to single beats of a clean rhythm.
enum Fault: String, CaseIterable {
    case missed, extra, early, late
}

private func intervals(_ beats: [Double], breaksBefore: Set<Int> = []) -> [IBI] {
    (1..<beats.count).map { index in
        IBI(
            onset: beats[index], duration: beats[index] - beats[index - 1],
            isContiguous: index > 1 && !breaksBefore.contains(index))
    }
}

/// Beats with a fault every 20 to 40 beats, and when those were.
private func spoiled(
    _ beats: [Double], by fault: Fault, seed: UInt64
) -> (beats: [Double], times: [Double]) {
    var generator = SplitMix64(seed: seed)
    var (spoiled, times): ([Double], [Double]) = ([], [])
    var next = 8
    for (index, beat) in beats.enumerated() {
        guard index == next, index + 8 < beats.count else {
            spoiled.append(beat)
            continue
        }
        next += Int.random(in: 20...40, using: &generator)
        times.append(beat)
        let (before, after) = (beat - beats[index - 1], beats[index + 1] - beat)
        switch fault {
        case .missed: break
        case .extra: spoiled += [beat, beat + after * Double.random(in: 0.15...0.85, using: &generator)]
        case .early: spoiled.append(beat - before * Double.random(in: 0.2...0.5, using: &generator))
        case .late: spoiled.append(beat + after * Double.random(in: 0.2...0.5, using: &generator))
        }
    }
    return (spoiled.map(Beat.onGrid), times)
}

@Suite("Correction after Lipponen & Tarvainen")
struct ArtefactCorrectionTests {
    @Test("finds at least 99 % of simulated faults and nothing else", arguments: Fault.allCases)
    func findsFaults(fault: Fault) throws {
        var (found, rightClass, total, falseRows, intervalCount) = (0, 0, 0, 0, 0)
        for seed in UInt64(1)...10 {
            let clean = SimulatedRhythm(count: 2_000, seed: seed)
            let (beats, times) = spoiled(clean.beats, by: fault, seed: seed + 100)
            let (_, rows) = try Correction.correct(intervals(beats))
            let expected: CorrectionClass =
                fault == .missed ? .missed : fault == .extra ? .extra : .ectopic
            for time in times {
                let near = rows.filter { abs($0.onset - time) < 1.3 }
                total += 1
                if !near.isEmpty { found += 1 }
                if near.contains(where: { $0.kind == expected }) { rightClass += 1 }
            }
            falseRows += rows.count { row in !times.contains { abs($0 - row.onset) < 1.5 } }
            intervalCount += beats.count - 1
        }
        print("\(fault): found \(found), right class \(rightClass) of \(total); false \(falseRows) of \(intervalCount)")
        #expect(Double(found) >= 0.99 * Double(total))
        #expect(Double(rightClass) >= 0.98 * Double(total))
        #expect(Double(falseRows) <= 0.001 * Double(intervalCount))
    }

    @Test(
        "the steadier the rhythm, the smaller the shifts of a beat that are found",
        arguments: [(0.01, 0.005, 0.08), (0.02, 0.005, 0.12), (0.03, 0.01, 0.15), (0.03, 0.02, 0.2)])
    func findsShifts(respiratory: Double, noise: Double, share: Double) throws {
        var (found, total, falseRows, intervalCount) = (0, 0, 0, 0)
        for seed in UInt64(1)...10 {
            var beats = SimulatedRhythm(count: 2_000, respiratory: respiratory, noise: noise, seed: seed).beats
            let shifted = Array(stride(from: 10 + Int(seed), to: beats.count - 10, by: 31))
            for (place, beat) in shifted.enumerated() {
                let shift = share * (beats[beat] - beats[beat - 1])
                beats[beat] = Beat.onGrid(beats[beat] + (place.isMultiple(of: 2) ? shift : -shift))
            }
            let rows = try Correction.correct(intervals(beats)).rows
            total += shifted.count
            found += shifted.count { beat in rows.contains { abs($0.index + 1 - beat) <= 1 } }
            falseRows += rows.count { row in !shifted.contains { abs(row.index + 1 - $0) <= 2 } }
            intervalCount += beats.count - 1
        }
        print("shift of \(share): found \(found) of \(total); false \(falseRows) of \(intervalCount)")
        #expect(Double(found) >= 0.99 * Double(total))
        #expect(Double(falseRows) <= 0.001 * Double(intervalCount))
    }

    @Test("an extra beat in a breathing rhythm is one, not a couplet", arguments: [0.05, 0.08, 0.1])
    func findsExtraInBreathing(respiratory: Double) throws {
        var (right, couplets, total) = (0, 0, 0)
        for seed in UInt64(1)...10 {
            let clean = SimulatedRhythm(count: 2_000, respiratory: respiratory, seed: seed)
            let (beats, times) = spoiled(clean.beats, by: .extra, seed: seed + 100)
            let rows = try Correction.correct(intervals(beats)).rows
            total += times.count
            right += times.count { time in rows.contains { abs($0.onset - time) < 1.3 && $0.kind == .extra } }
            couplets += rows.count { $0.reason == .couplet }
        }
        #expect(Double(right) >= 0.98 * Double(total), "\(right) of \(total)")
        // A couplet has three rows.
        #expect(Double(couplets) <= 0.01 * 3 * Double(total), "\(couplets)")
    }

    @Test("brings the variability back to within 2 % of the clean rhythm's", arguments: Fault.allCases)
    func restoresVariability(fault: Fault) throws {
        var parameters = HRVParameters()
        parameters.window = nil
        parameters.domains = [.time]
        let names = HRVIndex.list(parameters).map(\.name)
        for seed in UInt64(1)...5 {
            let clean = SimulatedRhythm(count: 2_000, seed: seed)
            let (beats, _) = spoiled(clean.beats, by: fault, seed: seed)
            let truth = try #require(try HRV.windows(of: intervals(clean.beats), parameters: parameters).first)
            let corrected = try Correction.correct(intervals(beats)).intervals
            let mended = try #require(try HRV.windows(of: corrected, parameters: parameters).first)
            for name in ["meanNN", "sdnn", "rmssd", "sdsd", "cvnn", "meanHR"] {
                let place = try #require(names.firstIndex(of: name))
                let (expected, found) = try (#require(truth.values[place]), #require(mended.values[place]))
                #expect(abs(found / expected - 1) < 0.02, "\(name), \(fault), seed \(seed): \(found) for \(expected)")
            }
            #expect(mended.nCorrected > 0)
        }
    }

    @Test(
        "leaves clean rhythms alone", arguments: [(0.0, 0.002), (0.01, 0.005), (0.03, 0.01), (0.08, 0.02), (0.1, 0.01)])
    func leavesCleanAlone(respiratory: Double, noise: Double) throws {
        for seed in UInt64(1)...5 {
            let clean = SimulatedRhythm(count: 1_000, respiratory: respiratory, noise: noise, seed: seed)
            let series = intervals(clean.beats)
            let (corrected, rows) = try Correction.correct(series)
            #expect(rows.isEmpty, "seed \(seed)")
            #expect(corrected == series.map(NN.init))
        }
    }

    @Test("deep and fast breathing is left alone", arguments: [10.0, 15, 20], [0.1, 0.2, 0.25])
    func leavesBreathingAlone(breathsPerMinute: Double, depth: Double) throws {
        for seed in UInt64(1)...3 {
            var generator = SplitMix64(seed: seed)
            var beats = [0.0]
            for _ in 0..<1_000 {
                let wave = depth * sin(2 * .pi * breathsPerMinute / 60 * beats[beats.count - 1])
                let length = 0.95 + wave + 0.01 * SimulatedRhythm.normal(&generator)
                beats.append(Beat.onGrid(beats[beats.count - 1] + length))
            }
            #expect(try Correction.correct(intervals(beats)).rows.count <= 2, "seed \(seed)")
        }
    }

    @Test("a constant rhythm is left alone, and a fault in it found")
    func constantRhythm() throws {
        var beats = (0..<60).map { Double($0) * 0.8 }
        #expect(try Correction.correct(intervals(beats)).rows.isEmpty)
        beats[30] -= 0.2
        let rows = try Correction.correct(intervals(beats)).rows
        #expect(rows.map(\.index) == [29, 30])
        #expect(rows.allSatisfy { $0.kind == .ectopic && abs(($0.new ?? 0) - 0.8) < 1e-9 })
    }

    @Test("an extra beat leaves the true interval, a missed one two that keep the time")
    func exactRepairs() throws {
        var beats = (0..<60).map { Double($0) * 0.8 }
        beats.insert(beats[20] + 0.3, at: 21)
        beats.remove(at: 41)
        let (corrected, rows) = try Correction.correct(intervals(beats))
        #expect(rows.map(\.kind) == [.extra, .extra, .missed, .missed])
        #expect(corrected.count == 59)
        for interval in corrected { #expect(abs(interval.duration - 0.8) < 1e-9) }
        #expect(corrected.filter { $0.status == .merged }.count == 1)
        #expect(corrected.filter { $0.status == .interpolated }.count == 2)
        #expect(corrected.dropFirst().allSatisfy { $0.isContiguous })
    }

    @Test("a pause that no few missed beats explain is taken out and breaks the series")
    func longPause() throws {
        var beats = (0..<60).map { Double($0) * 0.8 }
        for index in 30..<60 { beats[index] += 7.3 }
        let (corrected, rows) = try Correction.correct(intervals(beats))
        #expect(
            rows == [
                CorrectionRow(
                    index: 29, onset: beats[30], kind: .missed, old: beats[30] - beats[29], new: nil, reason: .tooLong)
            ])
        #expect(corrected.count == 58)
        #expect(corrected.filter { !$0.isContiguous }.map(\.onset) == [beats[1], beats[31]])
    }

    @Test("nothing is judged across a break: two rhythms side by side stay as they are")
    func breaksAreRespected() throws {
        let slow = (0..<100).map { Double($0) * 1.2 }
        let fast = (0..<100).map { 200 + Double($0) * 0.4 }
        let series = intervals(slow) + intervals(fast)
        let (corrected, rows) = try Correction.correct(series)
        #expect(rows.isEmpty)
        #expect(corrected.filter { !$0.isContiguous }.count == 2)
    }

    @Test("short series come through", arguments: 0...12)
    func shortSeries(count: Int) throws {
        let beats = (0...count).map { Double($0) * 0.8 }
        #expect(try Correction.correct(intervals(beats)).intervals.count == count)
    }

    @Test("lengths that are no lengths are left out and break the series")
    func malformedIntervals() throws {
        var series = intervals((0..<100).map { Double($0) * 0.8 })
        series[20].duration = .nan
        series[40].duration = -1
        series[60].duration = .infinity
        series[80].duration = 0
        for method in CorrectionMethod.allCases {
            var parameters = CorrectionParameters()
            parameters.method = method
            let (corrected, rows) = try Correction.correct(series, parameters: parameters)
            #expect(rows.isEmpty)
            #expect(corrected.count == 95)
            #expect(corrected.filter { !$0.isContiguous }.count == 5)
        }
    }

    @Test("ectopic beats of annotated records are found", .enabled(if: RealData.has("mitdb/119.atr")))
    func annotatedRecord() throws {
        let beats = try AnnotatedBeats(RealData.url("mitdb/119.atr"), rate: 360)
        let rows = try Correction.correct(intervals(beats.times)).rows
        let changed = Set(rows.map(\.index))
        let ectopic = beats.isNormal.indices.dropFirst().filter { !beats.isNormal[$0] }
        let found = ectopic.count { changed.contains($0 - 1) || changed.contains($0) }
        let normal = beats.isNormal.indices.dropFirst().filter { beats.isNormal[$0] && beats.isNormal[$0 - 1] }
        let untouched = normal.count { !changed.contains($0 - 1) }
        print("119: Se \(found)/\(ectopic.count), Sp \(untouched)/\(normal.count)")
        #expect(Double(found) >= 0.99 * Double(ectopic.count))
        #expect(Double(untouched) >= 0.999 * Double(normal.count))
    }
}

@Suite("Every correction rule")
struct CorrectionRuleTests {
    /// A rhythm with every kind of fault, two breaks, and a stretch of noise.
    private static func troubled(seed: UInt64) -> [IBI] {
        var beats = SimulatedRhythm(count: 700, seed: seed).beats
        var generator = SplitMix64(seed: seed)
        for fault in Fault.allCases {
            beats = spoiled(beats, by: fault, seed: seed + UInt64(fault.rawValue.count)).beats
        }
        for index in 300..<320 {
            beats[index] = beats[299] + Double(index - 299) * Double.random(in: 0.3...1.6, using: &generator)
        }
        beats.sort()
        return intervals(beats, breaksBefore: [5, 6, 200, 450])
    }

    @Test("the audit replays to the same NN intervals", arguments: CorrectionMethod.allCases)
    func replays(method: CorrectionMethod) throws {
        var parameters = CorrectionParameters()
        parameters.method = method
        for seed in UInt64(1)...20 {
            let series = Self.troubled(seed: seed)
            let (corrected, rows) = try Correction.correct(series, parameters: parameters)
            #expect(Correction.replay(rows, on: series) == corrected, "seed \(seed)")
            #expect(rows.isEmpty == (method == .none))
        }
    }

    @Test("cutting the input makes no difference", arguments: CorrectionMethod.allCases)
    func chunkInvariance(method: CorrectionMethod) throws {
        var parameters = CorrectionParameters()
        parameters.method = method
        let stage = try CorrectionStage(parameters)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)
        assertChunkInvariant(stage, [(start, Self.troubled(seed: 3)), (start, Self.troubled(seed: 4)), (start, [])])
    }

    @Test("a later interval is decided before the look-ahead is over", arguments: CorrectionMethod.allCases)
    func lookAhead(method: CorrectionMethod) throws {
        var parameters = CorrectionParameters()
        parameters.method = method
        var stage = try CorrectionStage(parameters)
        let series = intervals(SimulatedRhythm(count: 6_000).beats)
        var outputs: [CorrectionOutput] = []
        for (count, interval) in series.enumerated() {
            stage.push([interval].span, into: &outputs)
            // One interval is held back on top of those that may have a say.
            let decided = outputs.count { if case .interval = $0 { true } else { false } }
            #expect(decided + stage.lookAheadIntervals + 1 >= min(count, 5_999) || count < 100)
        }
    }

    @Test("the threshold rule interpolates what lies beyond it, the quotient rule leaves it out")
    func simpleRules() throws {
        var beats = (0..<40).map { Double($0) * 0.8 }
        beats[20] += 0.3
        var parameters = CorrectionParameters()
        parameters.method = .threshold
        let mended = try Correction.correct(intervals(beats), parameters: parameters)
        #expect(mended.rows.map(\.index) == [19, 20])
        #expect(mended.intervals.allSatisfy { abs($0.duration - 0.8) < 1e-9 })
        parameters.method = .quotient
        let cut = try Correction.correct(intervals(beats), parameters: parameters)
        #expect(cut.rows.map(\.index) == [19, 20] && cut.rows.allSatisfy { $0.new == nil })
        #expect(cut.intervals.count == 37)
        #expect(cut.intervals.filter { !$0.isContiguous }.count == 2)
    }

    @Test("the audit's table has one cell per column, and n/a where a beat was put in or taken out")
    func auditTable() throws {
        let rows = try Correction.correct(Self.troubled(seed: 1)).rows
        let table = Correction.table(rows)
        #expect(table.columns.map(\.name) == ["index", "onset", "class", "old", "new", "reason"])
        #expect(table.rows.contains { $0[3] == .missing } && table.rows.contains { $0[4] == .missing })
    }

    @Test("parameters without meaning are refused by name")
    func badParameters() {
        var parameters = CorrectionParameters()
        parameters.quotient = .nan
        #expect(throws: InvalidParameter.self) { try CorrectionStage(parameters) }
    }
}
