import Electrodermal
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

@Suite struct ElectrodermalStageTests {
    static func parameters(_ separation: ElectrodermalParameters.Separation) -> ElectrodermalParameters {
        var parameters = ElectrodermalParameters()
        parameters.separation = separation
        return parameters
    }

    static func start(_ onset: Double = 0, rate: Double = 4) -> SegmentStart {
        SegmentStart(onset: onset, sample: 0, sampleRate: rate)
    }

    static func samples(_ outputs: [ElectrodermalOutput]) -> [ElectrodermalSample] {
        outputs.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
    }

    @Test(arguments: ElectrodermalParameters.Separation.allCases, [4.0, 10])
    func `outputs do not depend on the cut`(separation: ElectrodermalParameters.Separation, rate: Double) throws {
        var samples = SimulatedConductance(hours: 0.2, sampleRate: rate).samples
        for k in 500..<600 { samples[k] = .nan }
        for k in stride(from: 620, to: 890, by: 17) { samples[k] = .nan }
        samples[900] = 80
        for k in 1_500..<1_900 { samples[k] = 0 }
        let stage = try ElectrodermalStage(sampleRate: rate, parameters: Self.parameters(separation))
        assertChunkInvariant(
            stage,
            [(Self.start(rate: rate), samples), (Self.start(1_000, rate: rate), Array(samples.prefix(700)))], cuts: 4)
    }

    @Test(arguments: ElectrodermalParameters.Separation.allCases)
    func `every sample comes once, in order, its components sum to it or nearly`(
        separation: ElectrodermalParameters.Separation
    ) throws {
        let truth = SimulatedConductance(hours: 0.3)
        var stage = try ElectrodermalStage(sampleRate: 4, parameters: Self.parameters(separation))
        let samples = Self.samples(stage.run(truth.samples, from: Self.start()))
        #expect(samples.count == truth.samples.count)
        #expect(samples.indices.allSatisfy { abs(samples[$0].onset - Double($0) / 4) < 1e-9 })
        #expect(samples.allSatisfy { abs($0.tonic + $0.phasic - $0.conductance) < 0.1 })
        #expect(samples.map(\.raw) == truth.samples)
    }

    @Test(arguments: 1...3)
    func `blocks come within a hundredth of the whole run's optimum`(seed: Int) throws {
        let truth = SimulatedConductance(hours: 1, seed: UInt64(seed))
        var stage = try ElectrodermalStage(sampleRate: 4)
        let samples = Self.samples(stage.run(truth.samples, from: Self.start()))
        try expectOptimumOfWhole(samples, rate: 4)
    }

    /// Further than 30 s from the ends.
    private func expectOptimumOfWhole(_ samples: [ElectrodermalSample], rate: Double) throws {
        let whole = try Decomposition(
            of: samples.map { Double($0.conductance) }, sampleRate: rate, leavingOut: samples.map(\.isArtefact))
        let ends = Int(30 * rate)
        let inner = (ends..<samples.count - ends).filter { !samples[$0].isArtefact }
        func size(_ values: [Double]) -> Double {
            (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
        }
        let phasic = inner.map { Double(samples[$0].phasic) - whole.phasic[$0] }
        let tonic = inner.map { Double(samples[$0].tonic) - whole.tonic[$0] }
        #expect(size(phasic) < 0.01 * size(inner.map { whole.phasic[$0] }), "\(size(phasic))")
        #expect((phasic + tonic).allSatisfy { abs($0) < 0.02 }, "\((phasic + tonic).map(abs).max() ?? 0)")
    }

    /// A sensor that is off where the pieces begin that blocks are decomposed with; a rate at which neither blocks nor
    /// margins are whole numbers of knots.
    @Test(arguments: [(4.0, true), (31.25, false)])
    func `blocks come within a hundredth of the whole run's optimum wherever they begin`(
        rate: Double, hasDropouts: Bool
    ) throws {
        var conductance = SimulatedConductance(hours: 0.5, sampleRate: rate).samples
        if hasDropouts {
            for onset in stride(from: 178, to: 1_800, by: 240.0) {
                for k in Int(onset * rate)..<Int((onset + 5) * rate) { conductance[k] = 0 }
            }
        }
        var stage = try ElectrodermalStage(sampleRate: rate)
        let samples = Self.samples(stage.run(conductance, from: Self.start(rate: rate)))
        try expectOptimumOfWhole(samples, rate: rate / Double(Int(rate / 4)))
    }

    @Test(arguments: ElectrodermalParameters.Separation.allCases)
    func `nothing is known of what is not there`(separation: ElectrodermalParameters.Separation) throws {
        var stage = try ElectrodermalStage(sampleRate: 4, parameters: Self.parameters(separation))
        #expect(stage.run([], from: Self.start()).isEmpty)
        #expect(stage.run([.nan, .infinity, .nan], from: Self.start()).isEmpty)
        #expect(Self.samples(stage.run([1], from: Self.start())).count == 1)
        #expect(Self.samples(stage.run([1, 2, .nan, 3], from: Self.start(5))).map(\.onset) == [5, 5.25, 5.75])
        let wild = (0..<2_000).map { k -> Float in k % 7 == 0 ? 1e30 : k % 11 == 0 ? -1e30 : 0 }
        #expect(Self.samples(stage.run(wild, from: Self.start())).allSatisfy { $0.isArtefact })
    }

    /// The electrode lets go for a second, for half a minute, from the start, and for longer than a block; a spike.
    @Test(
        arguments: ElectrodermalParameters.Separation.allCases,
        [(2_000..<2_004, Float(0)), (2_000..<2_120, 0), (0..<120, 0), (1_500..<4_500, 0), (2_000..<2_001, 900)])
    func `an artefact does not reach the components of the skin around it`(
        separation: ElectrodermalParameters.Separation, _ artefact: (places: Range<Int>, value: Float)
    ) throws {
        let skin = SimulatedConductance(hours: 0.4).samples
        var touched = skin
        for k in artefact.places { touched[k] = artefact.value }
        func samples(_ values: [Float]) throws -> [ElectrodermalSample] {
            var stage = try ElectrodermalStage(sampleRate: 4, parameters: Self.parameters(separation))
            return Self.samples(stage.run(values, from: Self.start()))
        }
        let (truth, found) = (try samples(skin), try samples(touched))
        let marked = artefact.places.lowerBound - 9..<artefact.places.upperBound + 9
        for k in found.indices {
            #expect(found[k].isArtefact || !artefact.places.contains(k))
            #expect(!found[k].isArtefact || marked.contains(k))
            #expect(found[k].tonic.isNaN == found[k].isArtefact && found[k].phasic.isNaN == found[k].isArtefact)
            guard !found[k].isArtefact else { continue }
            #expect(abs(found[k].tonic - truth[k].tonic) < 0.05 * truth[k].tonic, "\(k): \(found[k].tonic)")
            #expect(abs(found[k].conductance - skin[k]) < 0.15)
        }
        let windows = ElectrodermalWindow.windows(found, [], length: 60, rate: 4)
        #expect(windows.allSatisfy { abs(($0.meanLevel ?? 4) - 4) < 1 })
    }

    @Test(arguments: [0.5, 0, -1, .nan, .infinity])
    func `sample rates that show no responses are refused`(rate: Double) {
        #expect(throws: ElectrodermalError.self) { try ElectrodermalStage(sampleRate: rate) }
    }

    @Test func `windows tell level, number and coverage`() throws {
        let truth = SimulatedConductance(hours: 0.5)
        var stage = try ElectrodermalStage(sampleRate: 4)
        let outputs = stage.run(truth.samples, from: Self.start(30))
        let responses = outputs.compactMap { if case .response(let response) = $0 { response } else { nil } }
        let windows = ElectrodermalWindow.windows(Self.samples(outputs), responses, length: 60, rate: 4)
        #expect(windows.count == 31)
        #expect(windows[0].coverage == 0.5 && windows[1].coverage == 1)
        #expect(windows.compactMap(\.responseCount).reduce(0, +) == responses.count)
        #expect(windows.allSatisfy { abs(($0.meanLevel ?? 0) - 4) < 1 })
        #expect(windows[5].responseRate == windows[5].responseCount.map(Double.init))
    }

    /// Stretches of 2 s let nobody see a response; in stretches of 20 s they are counted as often as they are.
    @Test(arguments: [(8, 4, false), (80, 4, true)])
    func `rates are told of stretches in which responses can be seen`(kept: Int, lost: Int, isSeen: Bool) throws {
        var conductance = SimulatedConductance(hours: 0.5).samples
        for k in conductance.indices where k % (kept + lost) >= kept { conductance[k] = .nan }
        var stage = try ElectrodermalStage(sampleRate: 4)
        let outputs = stage.run(conductance, from: Self.start())
        let responses = outputs.compactMap { if case .response(let response) = $0 { response } else { nil } }
        let windows = ElectrodermalWindow.windows(Self.samples(outputs), responses, length: 60, rate: 4)
        #expect(windows.dropLast().allSatisfy { $0.coverage > 0.6 })
        #expect(windows.dropLast().allSatisfy { ($0.responseCount != nil) == isSeen })
        #expect(windows.dropLast().allSatisfy { ($0.responseRate != nil) == isSeen })
        #expect(windows.dropLast().allSatisfy { ($0.sumAmplitude != nil) == isSeen })
    }

    @Test(arguments: [(33, 1, 4.0), (50, 2, 4), (31, 1, 10), (1_250, 100, 250)])
    func `samples lost for half a second at most hide no responses and stay missing`(
        every: Int, lost: Int, rate: Double
    ) throws {
        let truth = SimulatedConductance(hours: 0.5, sampleRate: rate)
        func analysed(_ conductance: [Float]) throws -> (
            [ElectrodermalSample], [SkinConductanceResponse], [ElectrodermalWindow]
        ) {
            var stage = try ElectrodermalStage(sampleRate: rate)
            let outputs = stage.run(conductance, from: Self.start(rate: rate))
            let responses = outputs.compactMap { if case .response(let response) = $0 { response } else { nil } }
            let samples = Self.samples(outputs)
            let worked = rate / Double(max(1, Int(rate / 4)))
            return (samples, responses, ElectrodermalWindow.windows(samples, responses, length: 60, rate: worked))
        }
        var holed = truth.samples
        for k in holed.indices where k % every >= every - lost { holed[k] = .nan }
        let (whole, found) = (try analysed(truth.samples), try analysed(holed))
        let sound = found.1.filter { !$0.isDoubtful }
        #expect(abs(sound.count - whole.1.count) <= whole.1.count / 20, "\(sound.count) of \(whole.1.count)")
        #expect(truth.score(sound.map(\.onset)).f1 > truth.score(whole.1.map(\.onset)).f1 - 0.02)
        let times = Set(found.0.map(\.onset))
        if rate == 4 {
            #expect(holed.indices.allSatisfy { !holed[$0].isNaN || !times.contains(Double($0) / rate) })
            #expect(found.0.count < whole.0.count)
        }
        #expect(found.0.allSatisfy { $0.isArtefact || $0.tonic.isFinite })
        let rates = zip(whole.2, found.2).compactMap { ($0.responseRate ?? .nan, $1.responseRate ?? .nan) }
        let (expected, told) = (rates.map(\.0).reduce(0, +), rates.map(\.1).reduce(0, +))
        #expect(abs(told / expected - 1) < 0.05, "\(told) for \(expected)")
    }

    @Test func `windows begin with the samples, and a long gap is one`() throws {
        let truth = SimulatedConductance(hours: 0.1)
        func windows(_ starts: [Double]) throws -> [ElectrodermalWindow] {
            var stage = try ElectrodermalStage(sampleRate: 4)
            let outputs = starts.flatMap { stage.run(truth.samples, from: Self.start($0)) }
            return ElectrodermalWindow.windows(Self.samples(outputs), [], length: 60, rate: 4)
        }
        // Six minutes each; 4.08e9 s is the year 2099 counted from 1970.
        let late = try windows([4.08e9 + 20])
        #expect(late.count == 7 && late[0].onset == 4.08e9 && late.allSatisfy { $0.duration == 60 })
        let short = try windows([0, 3_600])
        #expect(short.map(\.onset) == (0..<66).map { Double($0) * 60 })
        #expect(short[6..<60].allSatisfy { $0.coverage == 0 && $0.meanLevel == nil && $0.responseCount == nil })
        let long = try windows([0, 4.08e9])
        #expect(long.count == 13 && long[6].onset == 360 && long[6].onset + long[6].duration == 4.08e9)
        #expect(long[6].coverage == 0 && long[6].responseCount == nil && long[7].coverage == 1)
    }

    @Test(arguments: [1e12, 1e300, -1e300, .infinity, .nan])
    func `of a run that lies at no time nothing is told`(onset: Double) throws {
        var stage = try ElectrodermalStage(sampleRate: 4)
        let samples = SimulatedConductance(hours: 0.1).samples
        #expect(stage.run(samples, from: Self.start(onset)).isEmpty)
        #expect(Self.samples(stage.run(samples, from: Self.start())).count == samples.count)
    }

    @Test func `an event's response is the first in time, none is 0, and unknown is missing`() throws {
        let truth = SimulatedConductance(hours: 0.5, interval: 30)
        var stage = try ElectrodermalStage(sampleRate: 4)
        var samples = truth.samples
        for k in 4_000..<4_200 { samples[k] = .nan }
        let outputs = stage.run(samples, from: Self.start())
        let responses = outputs.compactMap { if case .response(let response) = $0 { response } else { nil } }
        let alone = truth.onsets.indices.dropFirst().filter { truth.onsets[$0] - truth.onsets[$0 - 1] > 20 }
        let first = try #require(alone.first)
        let markers = [
            Marker(onset: truth.onsets[first] - 2, label: "stimulus"),
            Marker(onset: truth.onsets[first] - 12, label: "nothing"), Marker(onset: 1_010, label: "gap"),
            Marker(onset: 1e6, label: "later"),
        ]
        let found = EventResponse.responses(
            to: markers, Self.samples(outputs), responses, latency: 1...4, rate: 4)
        #expect(abs((found[0].latency ?? 0) - 2) < 0.5 && (found[0].amplitude ?? 0) > 0.02)
        #expect(found[1].amplitude == 0 && found[1].latency == nil)
        #expect(found[2].amplitude == nil && found[2].level == nil && found[2].coverage == 0)
        #expect(found[3].amplitude == nil)
    }

    @Test func `events of the same name say whose they are, and one of the whole recording nothing`() throws {
        var stage = try ElectrodermalStage(sampleRate: 4)
        let samples = Self.samples(stage.run(SimulatedConductance(hours: 0.1).samples, from: Self.start()))
        let markers = ["left", "right", nil].map { Marker(onset: 100, label: "tag", stream: $0) }
        let table = EventResponse.table(
            EventResponse.responses(to: markers, samples, [], latency: 1...4, rate: 4))
        let place = try #require(table.columns.firstIndex { $0.name == "stream" })
        #expect(table.rows.map { $0[place] } == [.text("left"), .text("right"), .missing])
        #expect(table.rows.allSatisfy { $0.count == table.columns.count })
    }

    @Test func `of an event's response that is cut nobody says how high it is`() throws {
        let form = { (age: Double) in age > 0 ? (exp(-age / 2) - exp(-age / 0.7)) / 0.36887 : 0 }
        // It begins at 102 s; 0.75 s later the sensor is gone for three quarters of a second.
        var samples = (0..<800).map { Float(5 + form(Double($0) / 4 - 102)) }
        for place in 411..<414 { samples[place] = .nan }
        var stage = try ElectrodermalStage(sampleRate: 4)
        let outputs = stage.run(samples, from: Self.start())
        let responses = outputs.compactMap { if case .response(let response) = $0 { response } else { nil } }
        let found = EventResponse.responses(
            to: [Marker(onset: 100, label: "s")], Self.samples(outputs), responses, latency: 1...4, rate: 4)
        #expect(found[0].amplitude == nil && found[0].coverage > 0.8)
    }
}
