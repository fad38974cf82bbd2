import Signals
import Simulation
import Testing

/// What is said of a simulation that cannot be made.
struct ParameterRangeTests {
    private func refused(_ change: (inout SimulationParameters) -> Void) -> String? {
        var parameters = SessionTests.busy
        change(&parameters)
        do { try parameters.validate() } catch { return error.name }
        return nil
    }

    @Test func `what can be made is not refused`() {
        #expect(refused { _ in } == nil)
        #expect(refused { $0.ecg = nil } == nil)
    }

    @Test(arguments: [-1, 0, 1e19, 1e300, .nan, .infinity])
    func `lengths and rates that nothing can have are refused by their keys`(value: Double) {
        #expect(refused { $0.duration = value } == "duration")
        #expect(refused { $0.ecg?.sampleRate = value } == "ecg.sampleRate")
        #expect(refused { $0.bvp?.sampleRate = value } == "bvp.sampleRate")
        #expect(refused { $0.rhythm.meanRate = value } == "rhythm.meanRate")
        #expect(refused { $0.rhythm.variability.respirationRate = value } == "rhythm.variability.respirationRate")
    }

    @Test(arguments: [-1e308, -1e19, 1e19, 1e308, .nan, .infinity])
    func `moments, sizes and levels beyond all measure are refused by their keys`(value: Double) {
        #expect(refused { $0.bvp?.transit = value } == "bvp.transit")
        #expect(refused { $0.bvp?.amplitude = value } == "bvp.amplitude")
        #expect(refused { $0.ecg?.leads[1].r = value } == "ecg.leads[2].r")
        #expect(refused { $0.ecg?.qt = value } == "ecg.qt")
        #expect(refused { $0.ecgNoise[2].snr = value } == "ecgNoise[3].snr")
        #expect(refused { $0.bvpNoise[0].snr = value } == "bvpNoise[1].snr")
        #expect(refused { $0.faults[0].onset = value } == "faults[1].onset")
        #expect(refused { $0.faults[1].duration = value } == "faults[2].duration")
        #expect(refused { $0.randomFaults[0].perHour = value } == "randomFaults[1].perHour")
        #expect(refused { $0.rhythm.episodes[0].onset = value } == "rhythm.episodes[1].onset")
        #expect(refused { $0.rhythm.ventricular.coupling = value } == "rhythm.ventricular.coupling")
        #expect(refused { $0.start = Timestamp(secondsSince1970: value) } == "start.secondsSince1970")
    }

    @Test func `a recording without leads is refused`() {
        #expect(refused { $0.ecg?.leads = [] } == "ecg.leads")
    }
}
