import Signals
import Simulation

/// Makes the values of Heart Rate Measurement that a sensor sends once a second from a simulated heart's beats.
struct HeartRateSource: Sendable {
    private var rhythm: HeartRhythm
    private var upcoming: SimulatedBeat
    private let faults: DeviceFaults
    private let hasEnergy: Bool
    private var count = 0
    /// The last beat's moment on the sensor's clock, in 1/1024 s; nil when none was seen since contact was lost.
    private var lastTick: Int?
    private var recent: [Int] = []
    private var intervalCount = 0
    private var energyOrigin: Seconds = 0

    init(_ parameters: SimulationParameters, _ faults: DeviceFaults, hasEnergy: Bool) {
        rhythm = HeartRhythm(parameters.rhythm, seed: parameters.seed)
        upcoming = rhythm.next()!
        self.faults = faults
        self.hasEnergy = hasEnergy
    }

    /// When the next value is ready.
    var due: Seconds { Double(count + 1) / faults.clockRate }

    mutating func resetEnergy(at moment: Seconds) { energyOrigin = moment }

    /// The sensor was switched off and on.
    mutating func restart() {
        lastTick = nil
        recent = []
    }

    /// The next value; its intervals are the truth.
    mutating func take(into actions: inout [SimulatorAction]) -> HeartRateMeasurement {
        let moment = due
        count += 1
        var intervals: [Int] = []
        while upcoming.onset <= moment {
            let beat = upcoming
            upcoming = rhythm.next()!
            guard faults.hasContact(at: beat.onset) else {
                restart()
                continue
            }
            let tick = Int((beat.onset * faults.clockRate * BeatClock.ticksPerSecond).rounded(.down))
            if let last = lastTick, tick - last <= 65_535 {
                intervals.append(tick - last)
                report(tick - last, at: beat.onset, into: &actions)
            }
            lastTick = tick
        }
        if !faults.hasContact(at: moment) { restart() }
        recent = Array((recent + intervals).suffix(8))
        return measurement(intervals, at: moment)
    }

    private mutating func report(_ interval: Int, at moment: Seconds, into actions: inout [SimulatorAction]) {
        let block = SampleBlock([Float(Double(interval) / BeatClock.ticksPerSecond)])
        actions.append(.measured(MeasuredSamples(stream: "ibi", index: intervalCount, time: moment, block: block)))
        intervalCount += 1
    }

    private func measurement(_ intervals: [Int], at moment: Seconds) -> HeartRateMeasurement {
        let total = recent.reduce(0, +)
        let rate = total == 0 ? 0 : 60 * BeatClock.ticksPerSecond * Double(recent.count) / Double(total)
        var measurement = HeartRateMeasurement(heartRate: Int(rate.rounded()))
        measurement.contact = faults.hasContact(at: moment)
        measurement.intervals = intervals
        measurement.hasIntervals = true
        if hasEnergy, count.isMultiple(of: 10) {
            measurement.energy = Swift.min(65_535, Int((moment - energyOrigin) / 10))
        }
        return measurement
    }
}
