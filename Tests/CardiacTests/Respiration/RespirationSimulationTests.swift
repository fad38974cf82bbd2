import Cardiac
import Signals
import Simulation
import TestSupport
import Testing

@Suite struct RespirationSimulationTests {
    private func simulation(
        _ frequency: Double, _ change: (inout SimulationParameters) -> Void = { _ in }
    ) -> (ecg: [Float], bvp: [Float], rates: (ecg: Double, bvp: Double)) {
        var parameters = SimulationParameters()
        parameters.duration = 240
        parameters.rhythm.variability.respirationRate = frequency
        change(&parameters)
        let streams = SimulatedSession(parameters).recording().streams
        let (ecg, bvp) = (streams[0], streams[1])
        return (
            ecg.segments[0].block.channel(0), bvp.segments[0].block.channel(0),
            (ecg.header.sampleRate, bvp.header.sampleRate)
        )
    }

    @Test(arguments: [0.15, 0.2, 0.25, 0.32, 0.4])
    func `heights and levels tell the simulated rate to a tenth of a breath`(frequency: Double) throws {
        let signals = simulation(frequency)
        let windows =
            try ecgRespiration(signals.ecg, rate: signals.rates.ecg)
            + bvpRespiration(signals.bvp, rate: signals.rates.bvp)
        for method in [RespirationMethod.ecgAmplitude, .bvpAmplitude, .bvpBaseline] {
            let errors = rateErrors(windows, method) { _ in 60 * frequency }
            #expect(errors.count == 19, "\(method)")
            #expect(errors.allSatisfy { $0 < 0.1 }, "\(method): \(errors)")
        }
        let fused = rateErrors(windows, .bvpFusion) { _ in 60 * frequency }
        #expect(fused.count == 19)
        #expect(average(fused) < 0.25)
    }

    @Test(arguments: [0.17, 0.25, 0.4])
    func `sinus arrhythmia tells the rate of a breathing tone beside stronger slow waves`(frequency: Double) throws {
        let signals = simulation(frequency) {
            $0.rhythm.variability.shape = .tones
            $0.rhythm.variability.lf = 450
            $0.rhythm.variability.hf = 300
        }
        let windows = try ecgRespiration(signals.ecg, rate: signals.rates.ecg)
        let errors = rateErrors(windows, .rsa) { _ in 60 * frequency }
        #expect(errors.count == 19)
        #expect(errors.allSatisfy { $0 < 0.3 }, "\(errors)")
    }

    @Test func `the height of QRS complexes follows respiratoryAmplitude and nothing else`() throws {
        func spread(_ depth: Double) -> Double {
            let signals = simulation(0.25) { $0.ecg?.respiratoryAmplitude = depth }
            var heights = ECGAmplitudes(sampleRate: signals.rates.ecg)
            let values = heights.run(signals.ecg, from: RespirationSamples.start(signals.rates.ecg)).map(\.value)
            let mean = average(values)
            return average(values.map { ($0 - mean) * ($0 - mean) }).squareRoot() / mean
        }
        // A sine of that depth has its depth over √2 as standard deviation.
        #expect(abs(spread(0.08) - 0.08 / 2.0.squareRoot()) < 0.01)
        #expect(spread(0) < 0.02)
    }

    @Test func `ectopic beats leave a right rate or none`() throws {
        let signals = simulation(0.25) { $0.rhythm.ventricular.perHour = 240 }
        let windows = try bvpRespiration(signals.bvp, rate: signals.rates.bvp)
        for window in windows where window.method == .bvpFusion {
            if let rate = window.rate { #expect(abs(rate - 15) < 2) } else { #expect(window.missing != nil) }
        }
    }
}
