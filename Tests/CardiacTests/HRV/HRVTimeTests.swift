import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// Intervals in seconds, one after the other from `start`, as a contiguous run.
func series(_ durations: [Double], from start: Double = 0, isContiguous: Bool = false) -> [IBI] {
    var onset = start
    return durations.enumerated().map { index, duration in
        onset += duration
        return IBI(onset: onset, duration: duration, isContiguous: isContiguous || index > 0)
    }
}

extension HRVWindow {
    /// The value of the index called `name`; nil where it has none.
    func value(_ name: String, _ parameters: HRVParameters = HRVParameters()) -> Double? {
        HRVIndex.list(parameters).firstIndex { $0.name == name }.flatMap { values[$0] }
    }

    /// Why the index called `name` has no value.
    func reason(_ name: String, _ parameters: HRVParameters = HRVParameters()) -> HRVMissing? {
        HRVIndex.list(parameters).firstIndex { $0.name == name }.flatMap { missing[$0] }
    }
}

/// One window over everything, with the indexes of one family.
func whole(_ domain: HRVDomain) -> HRVParameters {
    var parameters = HRVParameters()
    parameters.window = nil
    parameters.domains = [domain]
    return parameters
}

func isNear(_ found: Double?, _ expected: Double, _ tolerance: Double = 1e-9) -> Bool {
    guard let found else { return false }
    return abs(found - expected) <= tolerance * max(1, abs(expected))
}

@Suite("HRV in the time domain")
struct HRVTimeTests {
    private let parameters = whole(.time)

    @Test("matches hand-computed values")
    func byHand() throws {
        let window = try #require(
            try HRV.windows(of: series([0.8, 0.9, 0.7, 0.75, 0.85]), parameters: parameters).first)
        let differences = [100.0, -200, 50, 100]
        let squares = differences.map { $0 * $0 }.reduce(0, +)
        #expect(window.nBeats == 6 && window.nCorrected == 0)
        #expect(isNear(window.coverage, 1) && isNear(window.duration, 4))
        #expect(isNear(window.value("meanNN", parameters), 800))
        #expect(isNear(window.value("medianNN", parameters), 800))
        #expect(isNear(window.value("sdnn", parameters), (25_000.0 / 4).squareRoot()))
        #expect(isNear(window.value("rmssd", parameters), (squares / 4).squareRoot()))
        #expect(isNear(window.value("sdsd", parameters), ((squares - 4 * 12.5 * 12.5) / 3).squareRoot()))
        // A difference of exactly 50 ms does not exceed 50 ms.
        #expect(window.value("nn50", parameters) == 3)
        #expect(isNear(window.value("pnn50", parameters), 75))
        #expect(isNear(window.value("iqrNN", parameters), 100))
        #expect(isNear(window.value("prc20NN", parameters), 740))
        #expect(isNear(window.value("madNN", parameters), 1.4826 * 50))
        #expect(isNear(window.value("minNN", parameters), 700) && isNear(window.value("maxNN", parameters), 900))
        #expect(isNear(window.value("maxHR", parameters), 60 / 0.7))
        #expect(window.value("hti", parameters) == nil)
        #expect(window.reason("hti", parameters)?.description == "needs 20 measured intervals; found 5")
    }

    // The source divides by n for SDSD and the SD of the rate; here it is n - 1.
    @Test("agrees with published values", .enabled(if: RealData.has("rr_series/hrv_analysis_nn.txt")))
    func published() throws {
        let text = try String(contentsOf: RealData.url("rr_series/hrv_analysis_nn.txt"), encoding: .utf8)
        let durations = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.map { $0 / 1_000 }
        let window = try #require(try HRV.windows(of: series(durations), parameters: parameters).first)
        for (name, expected) in [
            ("meanNN", 718.248), ("sdnn", 43.113074968427306),
            ("sdsd", 19.519367520775713 * (999.0 / 998).squareRoot()),
            ("rmssd", 19.519400785039664), ("medianNN", 722.5), ("nn50", 24), ("pnn50", 2.4024024024024024),
            ("nn20", 225), ("pnn20", 22.52252252252252), ("cvsd", 0.027176408127888504),
            ("cvnn", 0.060025332431732914), ("meanHR", 83.84733227281252), ("maxHR", 101.69491525423729),
            ("minHR", 71.51370679380214), ("sdHR", 5.196775370674054 * (1000.0 / 999).squareRoot()),
        ] {
            #expect(isNear(window.value(name, parameters), expected), "\(name): \(expected)")
        }
    }

    @Test("a difference never spans a gap, a removed interval or an interpolated one")
    func gaps() throws {
        let left = series([0.8, 0.81, 0.8])
        let right = series([1.2, 1.21, 1.2], from: 10)
        let window = try #require(try HRV.windows(of: left + right, parameters: parameters).first)
        #expect(window.value("nn50", parameters) == nil)
        #expect(window.reason("rmssd", parameters) == .lowCoverage(window.coverage, least: 0.8))
        var anyCoverage = parameters
        anyCoverage.minimumCoverage = 0
        let open = try #require(try HRV.windows(of: left + right, parameters: anyCoverage).first)
        #expect(isNear(open.value("rmssd", parameters), 10) && open.value("nn50", parameters) == 0)
        #expect(open.nBeats == 8)

        var corrected = series([0.8, 0.81, 0.8, 1.5, 0.8, 0.81]).map(NN.init)
        corrected[3].status = .interpolated
        let mended = try #require(try HRV.windows(of: corrected, parameters: parameters).first)
        #expect(mended.nCorrected == 1 && isNear(mended.value("rmssd", parameters), 10))
        #expect(isNear(mended.value("maxNN", parameters), 810))
    }

    @Test("the histogram's indexes match a triangle that is known")
    func triangle() throws {
        // Counts 1, 2, 3, 4, 3, 2, 1 in neighbouring bins: a triangle four bins to each side.
        let bin = 1.0 / 128
        let counts = [1, 2, 3, 4, 3, 2, 1].map { $0 * 3 }
        let durations = counts.enumerated().flatMap { place, count in
            Array(repeating: (100.5 + Double(place)) * bin, count: count)
        }
        let window = try #require(try HRV.windows(of: series(durations), parameters: parameters).first)
        #expect(isNear(window.value("hti", parameters), 4))
        #expect(isNear(window.value("tinn", parameters), 8 * 7.8125))
    }

    @Test("segment statistics: six stretches of 5 min at two alternating levels")
    func segments() throws {
        // Each stretch holds a zigzag of 10 ms around its level, and stands clear of its borders.
        let beats = (0..<6).flatMap { block -> [IBI] in
            let level = block.isMultiple(of: 2) ? 0.75 : 1.0
            let durations = (0..<Int(294 / level)).map { level + ($0.isMultiple(of: 2) ? 0.01 : -0.01) }
            return series(durations, from: Double(block) * 300 + 3)
        }
        let window = try #require(
            try HRV.windows(of: beats.map(NN.init), in: 0..<1_800, parameters: parameters).first)
        #expect(isNear(window.value("sdann5", parameters), 125 * (6.0 / 5).squareRoot(), 1e-6))
        let each = [392.0, 294].map { 10 * ($0 / ($0 - 1)).squareRoot() }
        #expect(isNear(window.value("sdnni5", parameters), (each[0] + each[1]) / 2, 1e-6))
    }
}

@Suite("HRV windows")
struct HRVWindowTests {
    @Test("windows lie on a grid from 0, and an interval belongs where both its beats are")
    func grid() throws {
        let windows = try HRV.windows(of: series(Array(repeating: 0.8, count: 1_000)))
        // 800 s: windows from 0 to 500 in steps of 30.
        #expect(windows.map(\.onset) == (0...16).map { Double($0) * 30 })
        #expect(windows.allSatisfy { $0.duration == 300 })
        #expect(windows[0].nBeats == 376 && isNear(windows[0].coverage, 1))
        // 30 s is 37.5 intervals: the one across the start of this window does not count.
        #expect(windows[1].nBeats == 375 && isNear(windows[1].coverage, 374 * 0.8 / 300))
    }

    @Test("a recording shorter than a window gives one row over what there is")
    func short() throws {
        let windows = try HRV.windows(of: series(Array(repeating: 0.8, count: 50), from: 3))
        #expect(windows.count == 1)
        #expect(windows[0].onset == 3 && isNear(windows[0].duration, 40) && windows[0].nBeats == 51)
        #expect(try HRV.windows(of: [IBI]()).isEmpty)
        let single = try #require(try HRV.windows(of: series([0.8])).first)
        #expect(single.values.allSatisfy { $0 == nil } && single.missing.allSatisfy { $0 != nil })
    }

    @Test("a long gap gives rows without values, with reasons")
    func longGap() throws {
        let left = series((0..<500).map { 0.8 + 0.01 * Double($0 % 7) })
        let right = series((0..<500).map { 0.8 + 0.01 * Double($0 % 5) }, from: 2_000)
        let windows = try HRV.windows(of: left + right)
        #expect(windows.count == 71)
        let empty = windows.filter { $0.onset > 420 && $0.onset + 300 < 2_000 }
        #expect(!empty.isEmpty && empty.allSatisfy { $0.coverage == 0 && $0.nBeats == 0 })
        #expect(empty.allSatisfy { $0.reason("sdnn") == .lowCoverage(0, least: 0.8) })
    }

    @Test("a gap of days is one row, and what comes after it has the rows it would have without")
    func gapOfDays() throws {
        let left = series((0..<500).map { 0.8 + 0.01 * Double($0 % 7) }).map(NN.init)
        let right = series((0..<500).map { 0.8 + 0.01 * Double($0 % 5) }, from: 1e6).map(NN.init)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)
        let stage = try HRVStage()
        let windows = assertChunkInvariant(stage, [(start, left), (start, right)], cuts: 4)
        let gap = try #require(windows.first { $0.duration != 300 })
        #expect(windows.count { $0.duration != 300 } == 1)
        // Beats end at 415 s and begin again at 1e6 s.
        #expect(gap.onset == 420 && gap.onset + gap.duration == 999_990)
        #expect(gap.coverage == 0 && gap.nBeats == 0 && gap.commonReason == .lowCoverage(0, least: 0.8))
        let later = windows.drop { $0.onset <= gap.onset }
        // They end at 1 000 410 s.
        #expect(later.map(\.onset) == (0..<14).map { 999_720 + 30 * Double($0) })
        #expect(Array(later) == Array(try HRV.windows(of: right).suffix(later.count)))
        #expect(windows.count == 14 + 1 + 14)
    }

    @Test("absurd times neither hang nor fill the memory")
    func absurdTimes() throws {
        let beats = series([0.8, 0.8]) + series([0.8, 0.8], from: 9e11) + series([0.8], from: 1e300)
        let windows = try HRV.windows(of: beats)
        #expect(windows.count < 200_000)
        #expect(try HRV.windows(of: [IBI(onset: .nan, duration: 1, isContiguous: true)]).isEmpty)
    }

    @Test("cutting the input makes no difference")
    func chunkInvariance() throws {
        var generator = SplitMix64(seed: 5)
        func run(_ count: Int, from start: Double) -> [NN] {
            var intervals = series(
                (0..<count).map { _ in Double.random(in: 0.6...1.1, using: &generator) }, from: start
            )
            .map(NN.init)
            for index in intervals.indices where index % 50 == 20 { intervals[index].status = .interpolated }
            if count > 10 { intervals[7].duration = .nan }
            return intervals
        }
        var parameters = HRVParameters()
        parameters.window = 60
        parameters.step = 7
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)
        let runs = [(start, run(300, from: 0)), (start, run(3, from: 400)), (start, run(400, from: 420)), (start, [])]
        let stage = try HRVStage(parameters)
        let windows = assertChunkInvariant(stage, runs, cuts: 4)
        #expect(windows.count > 80)
    }

    @Test("memory stays that of a window: ten days of beats")
    func longRecording() throws {
        var parameters = HRVParameters()
        parameters.domains = [.time]
        parameters.step = 3_600
        var stage = try HRVStage(parameters)
        var windows: [HRVWindow] = []
        var onset = 0.0
        for _ in 0..<100 {
            let chunk = (0..<10_000).map { index in
                onset += 0.8 + 0.01 * Double(index % 7)
                return NN(onset: onset, duration: 0.8 + 0.01 * Double(index % 7), isContiguous: true)
            }
            stage.push(chunk.span, into: &windows)
        }
        stage.finish(into: &windows)
        #expect(windows.count == Int((onset - 300) / 3_600) + 1)
    }

    @Test("the table has one cell per column and n/a for what is missing")
    func table() throws {
        let parameters = HRVParameters()
        let windows = try HRV.windows(of: series([0.8, 0.9, 0.8]), parameters: parameters)
        let table = HRV.table(windows, parameters: parameters, quality: [0.5])
        #expect(
            table.columns.prefix(8).map(\.name) == [
                "onset", "duration", "coverage", "quality", "nBeats", "nCorrected", "nEstimated", "spectrumReason",
            ])
        #expect(table.rows[0][3] == .number(0.5) && table.rows[0][4] == .integer(4))
        #expect(Set(table.columns.map(\.name)).count == table.columns.count)
        for column in table.columns.dropFirst(8) {
            #expect(!column.definition.isEmpty && column.reference != nil && column.leastData != nil)
        }
    }

    @Test("definitions tell the parameters that were used")
    func definitions() throws {
        var parameters = HRVParameters()
        for column in HRV.columns(parameters) { #expect(!column.definition.contains("{"), "\(column.name)") }
        func definition(_ name: String) throws -> String {
            try #require(HRV.columns(parameters).first { $0.name == name }).definition
        }
        #expect(try definition("lf").hasPrefix("Power in the LF (0.04 to 0.15 Hz) band. Welch"))
        #expect(try definition("sampEn").contains("patterns of 2, tolerance 0.2 SD (n - 1)"))
        #expect(try definition("vlf").contains("Hann segments of at most 120 s each without its mean, half"))
        parameters.bands.lf.upper = 0.12
        parameters.dfaShort = BeatRange(4, 12)
        #expect(try definition("lf").contains("0.04 to 0.12 Hz"))
        #expect(try definition("dfaAlpha1").contains("boxes of 4 to 12 intervals"))
    }

    @Test("parameters without meaning are refused by name")
    func badParameters() {
        var parameters = HRVParameters()
        parameters.step = 0
        #expect {
            try HRVStage(parameters)
        } throws: { "\($0)" == "hrv.step is 0.0; it must be 0.1 to 10000000 s" }
    }

    @Test("parameters survive JSON")
    func parametersCoding() throws {
        var parameters = HRVParameters()
        parameters.detrending = .smoothnessPriors
        parameters.window = nil
        let data = try JSONEncoder().encode(parameters)
        #expect(try JSONDecoder().decode(HRVParameters.self, from: data) == parameters)
    }

    @Test("a change of just 5 % is an anchor of the acceleration capacity, whatever rounding makes of it")
    func capacityAtTheLimit() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        let names = HRVIndex.list(parameters).map(\.name)
        // Ten beats of 1 s, ten of 0.95 s and so on: every change is one of 5 % or a bit more.
        let durations = (0..<400).map { $0 / 10 % 2 == 0 ? 1 : 0.95 }
        let window = try #require(try HRV.windows(of: series(durations), parameters: parameters).first)
        let place = try #require(names.firstIndex(of: "ac"))
        #expect(abs(try #require(window.values[place]) + 25) < 1e-9)
    }

    @Test("a shorter second run does not take from the spectrum what the longer one resolves")
    func spectrumOfTwoRuns() throws {
        var random = SplitMix64(seed: 4)
        func run(_ count: Int) -> [Double] { (0..<count).map { _ in Double.random(in: 0.75...0.85, using: &random) } }
        let (long, short) = (run(160), run(115))
        var parameters = whole(.frequency)
        parameters.minimumCoverage = 0.5
        let both = series(long) + series(short, from: 180)
        let window = try #require(try HRV.windows(of: both, parameters: parameters).first)
        let alone = try #require(try HRV.windows(of: series(long), parameters: parameters).first)
        let (found, expected) = (window.value("lf", parameters), alone.value("lf", parameters))
        #expect(abs(try #require(found) - #require(expected)) < 1e-9)
    }
}
