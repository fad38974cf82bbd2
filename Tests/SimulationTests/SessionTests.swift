import Foundation
import Signals
import Simulation
import Testing

@Suite struct SessionTests {
    static var busy: SimulationParameters {
        var parameters = SimulationParameters()
        parameters.duration = 120
        parameters.ecg?.leads = [.ii, .v5]
        parameters.rhythm.ventricular.perHour = 200
        parameters.rhythm.supraventricular.perHour = 200
        parameters.rhythm.episodes = [RhythmEpisode(onset: 40, duration: 20, kind: .atrialFibrillation)]
        parameters.ecgNoise = NoiseKind.allCases.map { NoiseLevel($0, snr: 20) }
        parameters.bvpNoise = [NoiseLevel(.motion, snr: 15)]
        parameters.faults = Fault.Kind.allCases.enumerated().flatMap { index, kind in
            [StreamKind.ecg, .bvp].map { Fault(kind, stream: $0, onset: 10 + 12 * Double(index), duration: 3.1) }
        }
        parameters.randomFaults = [RandomFaults(.gap, stream: .ecg, perHour: 100, duration: 1)]
        return parameters
    }

    func bits(_ recording: Recording) -> [[UInt32]] {
        recording.streams.flatMap { $0.segments.map { $0.block.samples.map(\.bitPattern) } }
    }

    /// FNV-1a over all samples.
    func fingerprint(_ recording: Recording) -> UInt64 {
        bits(recording).joined().reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    @Test func `the same seed gives the same bits, here and everywhere`() {
        let recording = SimulatedSession(Self.busy).recording()
        #expect(bits(recording) == bits(SimulatedSession(Self.busy).recording()))
        #expect(fingerprint(recording) == 11_012_964_541_947_177_423)
        var other = Self.busy
        other.seed = 2
        #expect(bits(recording) != bits(SimulatedSession(other).recording()))
    }

    @Test(arguments: [0.01, 0.37, 1, 1_000])
    func `the length of the blocks does not matter`(blockDuration: Double) throws {
        let session = SimulatedSession(Self.busy)
        let read = try Recording(reading: session.reader(blockDuration: blockDuration))
        let whole = session.recording()
        #expect(bits(read) == bits(whole))
        #expect(read.streams.map { $0.segments.map(\.start) } == whole.streams.map { $0.segments.map(\.start) })
    }

    @Test(arguments: [100.0, 250, 360, 1_000, 2_000], [1.0, -1])
    func `R peaks are the extremes of the noiseless signal, to the sample`(rate: Double, gain: Double) {
        var parameters = SimulationParameters()
        parameters.ecg?.sampleRate = rate
        parameters.ecg?.leads = [ECGLead(gain: gain)]
        parameters.ecg?.respiratoryBaseline = 0
        parameters.bvp = nil
        parameters.rhythm.ventricular.perHour = 300
        parameters.rhythm.supraventricular.perHour = 300
        parameters.rhythm.episodes = [RhythmEpisode(onset: 100, duration: 60, kind: .atrialFibrillation)]
        let session = SimulatedSession(parameters)
        let samples = session.recording().streams[0].segments[0].block.samples
        let reach = Int(0.04 * rate)
        for beat in session.truth().beats["ecg"]! where beat.sample > reach && beat.sample + reach < samples.count {
            let near = beat.sample - reach...beat.sample + reach
            let highest = near.max { Float(gain) * samples[$0] < Float(gain) * samples[$1] }!
            // Two samples may tie around a peak that lies halfway between them.
            #expect(highest == beat.sample || samples[highest] - samples[beat.sample] < 1e-5)
        }
    }

    @Test(arguments: [25.0, 64, 256])
    func `systolic peaks are the maxima of the noiseless pulse wave`(rate: Double) {
        var parameters = SimulationParameters()
        parameters.bvp?.sampleRate = rate
        parameters.bvp?.respiratoryBaseline = 0
        parameters.ecg = nil
        parameters.rhythm.ventricular.perHour = 200
        let session = SimulatedSession(parameters)
        let samples = session.recording().streams[0].segments[0].block.samples
        let reach = max(2, Int(0.1 * rate))
        for beat in session.truth().beats["bvp"]! where beat.sample > reach && beat.sample + reach < samples.count {
            let near = beat.sample - reach...beat.sample + reach
            let highest = near.max { samples[$0] < samples[$1] }!
            #expect(abs(highest - beat.sample) <= 1)
            if rate > 50 { #expect(samples[highest] - samples[beat.sample] < 1) }
        }
    }

    @Test func `gaps split the stream where they were asked for`() {
        var parameters = SimulationParameters()
        parameters.duration = 60
        parameters.faults = [
            Fault(.gap, stream: .ecg, onset: 0, duration: 2), Fault(.gap, stream: .ecg, onset: 20, duration: 5),
            Fault(.gap, stream: .ecg, onset: 58, duration: 10), Fault(.gap, stream: .bvp, onset: 30, duration: 1),
        ]
        let recording = SimulatedSession(parameters).recording()
        let ecg = recording.streams[0]
        #expect(ecg.segments.map(\.start.onset) == [2, 25])
        #expect(ecg.segments.map(\.start.sample) == [500, 6_250])
        #expect(ecg.segments.map(\.end) == [20, 58])
        #expect(ecg.gaps == [Gap(onset: 20, duration: 5, reason: .deviceLost)])
        #expect(ecg.header.frameCount == ecg.segments.map(\.block.frameCount).reduce(0, +))
        #expect(recording.streams[1].segments.map(\.start.onset) == [0, 31])
        let beats = SimulatedSession(parameters).truth().beats["ecg"]!
        #expect(beats.allSatisfy { $0.isVisible == ((2..<20).contains($0.onset) || (25..<58).contains($0.onset)) })
    }

    @Test func `faults spoil their samples and no others`() {
        var parameters = SimulationParameters()
        parameters.duration = 150
        let clean = SimulatedSession(parameters).recording().streams[0].segments[0].block.samples
        let kinds = Fault.Kind.allCases.filter { $0 != .gap }
        parameters.faults = kinds.enumerated().map { Fault($1, stream: .ecg, onset: 10 + 20 * Double($0), duration: 5) }
        let faulty = SimulatedSession(parameters).recording().streams[0].segments[0].block.samples
        for (index, kind) in kinds.enumerated() {
            let start = (10 + 20 * index) * 250
            let spoilt = faulty[start..<start + 5 * 250]
            #expect(faulty[start - 2_500..<start].elementsEqual(clean[start - 2_500..<start]))
            #expect(!spoilt.elementsEqual(clean[start..<start + 5 * 250]))
            switch kind {
            case .missing: #expect(spoilt.allSatisfy { $0.isNaN })
            case .flat, .railed: #expect(Set(spoilt).count == 1)
            default: #expect(spoilt.allSatisfy { $0.isFinite })
            }
        }
    }

    @Test func `the truth comes as tables with declared columns`() {
        let truth = SimulatedSession(Self.busy).truth()
        #expect(truth.beatsTable.rows.count == truth.beats["ecg"]!.count + truth.beats["bvp"]!.count)
        #expect(truth.faultsTable.rows.count == truth.faults.count + 1)
        #expect(truth.beatsTable.columns.map(\.name) == ["onset", "sample", "kind", "visible", "stream"])
    }

    @Test func `parameters survive a round through JSON`() throws {
        let data = try JSONEncoder().encode(Self.busy)
        #expect(try JSONDecoder().decode(SimulationParameters.self, from: data) == Self.busy)
    }

    @Test func `a recording of no length is empty`() {
        var parameters = SimulationParameters()
        parameters.duration = 0
        #expect(SimulatedSession(parameters).recording().streams.allSatisfy { $0.segments.isEmpty })
    }
}
