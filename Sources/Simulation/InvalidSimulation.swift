public import Signals

/// A parameter of a simulation that has no meaning.
public struct InvalidSimulation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its keys, such as `ecg.sampleRate`.
    public var name: String
    /// What it was set to.
    public var found: String
    /// What it may be.
    public var expected: String

    /// In words for the reader.
    public var description: String { "\(name) is \(found); it must be \(expected)" }
}

extension SimulationParameters {
    /// The longest recording, in seconds; no moment of one is later.
    public static let longest: Seconds = 4_000_000
    /// The highest sample rate in hertz.
    public static let highestRate = 20_000.0
    /// Signal-to-noise ratios in dB.
    public static let noiseLevels: ClosedRange<Double> = -100...200

    /// Checks that the parameters have a meaning: only a session of such can be made.
    /// - Throws: the first that has none.
    public func validate() throws(InvalidSimulation) {
        try Self.demand(above: 0, duration, Self.longest, "duration")
        try rhythm.validate(longest: Self.longest)
        try ecg?.validate()
        try bvp?.validate()
        for (name, levels) in [("ecgNoise", ecgNoise), ("bvpNoise", bvpNoise)] {
            for (place, level) in levels.enumerated() {
                try Self.demand(level.snr, Self.noiseLevels, "\(name)[\(place + 1)].snr")
            }
        }
        for (place, fault) in faults.enumerated() {
            try Self.demand(fault.onset, 0...Self.longest, "faults[\(place + 1)].onset")
            try Self.demand(fault.duration, 0...Self.longest, "faults[\(place + 1)].duration")
        }
        for (place, fault) in randomFaults.enumerated() {
            try Self.demand(fault.perHour, 0...3_600, "randomFaults[\(place + 1)].perHour")
            try Self.demand(fault.duration, 0...Self.longest, "randomFaults[\(place + 1)].duration")
        }
        if let start {
            try Self.demand(start.secondsSince1970, -1e11...1e11, "start.secondsSince1970")
        }
    }

    static func demand(
        _ value: Double, _ range: ClosedRange<Double>, _ name: String
    ) throws(InvalidSimulation) {
        guard !range.contains(value) else { return }
        throw InvalidSimulation(
            name: name, found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
    }

    static func demand(
        above least: Double, _ value: Double, _ most: Double, _ name: String
    ) throws(InvalidSimulation) {
        guard !(value > least && value <= most) else { return }
        throw InvalidSimulation(name: name, found: "\(value)", expected: "above \(least), at most \(most)")
    }
}

extension HeartRhythmParameters {
    fileprivate func validate(longest: Seconds) throws(InvalidSimulation) {
        typealias Check = SimulationParameters
        try Check.demand(meanRate, 20...250, "rhythm.meanRate")
        let powers = [("vlf", variability.vlf), ("lf", variability.lf), ("hf", variability.hf)]
        for (name, power) in powers { try Check.demand(power, 0...20_000, "rhythm.variability.\(name)") }
        try Check.demand(variability.respirationRate, 0.15...0.4, "rhythm.variability.respirationRate")
        try Check.demand(variability.jitter, 0...10_000, "rhythm.variability.jitter")
        for (name, ectopy) in [("supraventricular", supraventricular), ("ventricular", ventricular)] {
            try Check.demand(ectopy.perHour, 0...100_000, "rhythm.\(name).perHour")
            try Check.demand(ectopy.coupling, 0...2, "rhythm.\(name).coupling")
        }
        for (place, episode) in episodes.enumerated() {
            try Check.demand(episode.onset, 0...longest, "rhythm.episodes[\(place + 1)].onset")
            try Check.demand(episode.duration, 0...longest, "rhythm.episodes[\(place + 1)].duration")
        }
    }
}

extension ECGParameters {
    fileprivate func validate() throws(InvalidSimulation) {
        typealias Check = SimulationParameters
        try Check.demand(above: 0, sampleRate, Check.highestRate, "ecg.sampleRate")
        guard !leads.isEmpty else {
            throw InvalidSimulation(name: "ecg.leads", found: "empty", expected: "one lead or more")
        }
        for (place, lead) in leads.enumerated() {
            let waves = [
                ("p", lead.p), ("q", lead.q), ("r", lead.r), ("s", lead.s), ("t", lead.t), ("gain", lead.gain),
            ]
            for (name, size) in waves { try Check.demand(size, -1_000...1_000, "ecg.leads[\(place + 1)].\(name)") }
        }
        try Check.demand(respiratoryAmplitude, 0...1, "ecg.respiratoryAmplitude")
        try Check.demand(respiratoryBaseline, 0...1_000, "ecg.respiratoryBaseline")
        try Check.demand(qt, 0...2_000, "ecg.qt")
        try Check.demand(ventricularQRS, 10...1_000, "ecg.ventricularQRS")
        try Check.demand(fibrillation, 0...1_000, "ecg.fibrillation")
    }
}

extension BVPParameters {
    fileprivate func validate() throws(InvalidSimulation) {
        typealias Check = SimulationParameters
        try Check.demand(above: 0, sampleRate, Check.highestRate, "bvp.sampleRate")
        try Check.demand(amplitude, 0...1e9, "bvp.amplitude")
        try Check.demand(transit, 0...10, "bvp.transit")
        try Check.demand(respiratoryTransit, 0...0.1, "bvp.respiratoryTransit")
        try Check.demand(respiratoryAmplitude, 0...1, "bvp.respiratoryAmplitude")
        try Check.demand(respiratoryBaseline, 0...1_000, "bvp.respiratoryBaseline")
        try Check.demand(dicrotic, 0...1, "bvp.dicrotic")
    }
}
