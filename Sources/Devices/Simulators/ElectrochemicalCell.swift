import Formats
import Foundation
import Signals

/// A Randles cell at a simulated potentiostat: a resistance in series with a charge-transfer resistance beside a
/// double-layer capacitance.
struct ElectrochemicalCell: Sendable {
    let family: MethodSCRIPTFamily
    /// Series resistance in Ω.
    let series: Double
    /// Charge-transfer resistance in Ω.
    let transfer: Double
    /// Double-layer capacitance in F.
    let capacitance: Double
    /// Every so many packages one value is not a number; nil: never.
    let nanEvery: Int?
    /// Every so many packages the current is beyond the range; nil: never.
    let overloadEvery: Int?
    /// After so many packages the script fails; nil: it does not.
    let failsAfter: Int?

    /// At direct current.
    var resistance: Double { series + transfer }

    /// One point of a measurement loop.
    struct Point: Sendable {
        var technique: MethodSCRIPTTechnique
        /// Seconds since the point before it.
        var duration: Seconds
        var potential: Double
        var current: Double
        var frequency: Double = 0
    }

    /// The points of a measurement loop with these arguments.
    func points(_ technique: MethodSCRIPTTechnique, _ arguments: [Double]) -> [Point] {
        switch technique {
        case .ca: steady(arguments[0], interval: arguments[1], duration: arguments[2])
        case .ocp: open(interval: arguments[0], duration: arguments[1])
        case .lsv: sweep([arguments[0], arguments[1]], step: arguments[2], rate: arguments[3])
        case .cv:
            sweep(
                [arguments[0], arguments[1], arguments[2], arguments[0]], step: arguments[3], rate: arguments[4])
        case .eis: spectrum(from: arguments[1], to: arguments[2], count: arguments[3], potential: arguments[4])
        default: []
        }
    }

    private static func count(_ number: Double) -> Int {
        number.isFinite ? Int(min(max(number, 0), 1e6)) : 0
    }

    private func steady(_ potential: Double, interval: Seconds, duration: Seconds) -> [Point] {
        guard interval > 0 else { return [] }
        let decay = capacitance * series
        return (0..<Self.count((duration / interval).rounded())).map { index in
            let age = Double(index + 1) * interval
            let charging = potential / series * exp(-age / max(decay, 1e-9))
            return Point(
                technique: .ca, duration: interval, potential: potential, current: potential / resistance + charging)
        }
    }

    private func open(interval: Seconds, duration: Seconds) -> [Point] {
        guard interval > 0 else { return [] }
        return (0..<Self.count((duration / interval).rounded())).map { index in
            Point(
                technique: .ocp, duration: interval, potential: 0.1 + 0.01 * exp(-Double(index) * interval / 10),
                current: 0)
        }
    }

    private func sweep(_ vertices: [Double], step: Double, rate: Double) -> [Point] {
        guard step > 0, rate > 0 else { return [] }
        var points: [Point] = []
        for (start, end) in zip(vertices, vertices.dropFirst()) {
            let steps = Self.count((abs(end - start) / step).rounded())
            let direction: Double = end < start ? -1 : 1
            for index in 0...steps where index > 0 || points.isEmpty {
                let potential = start + direction * Double(index) * step
                points.append(
                    Point(
                        technique: .lsv, duration: step / rate, potential: potential,
                        current: potential / resistance + direction * capacitance * rate))
            }
        }
        return points
    }

    private func spectrum(from first: Double, to last: Double, count: Double, potential: Double) -> [Point] {
        let count = Self.count(count)
        guard first > 0, last > 0, count > 0 else { return [] }
        return (0..<min(count, 10_000)).map { index in
            let part = count == 1 ? 0 : Double(index) / Double(count - 1)
            let frequency = first * pow(last / first, part)
            return Point(
                technique: .eis, duration: max(0.05, 3 / frequency), potential: potential, current: 15e-3 / resistance,
                frequency: frequency)
        }
    }

    /// What a point gives to the variables of its loop, in their order.
    func variables(_ point: Point, noise: Double) -> [MethodSCRIPTVariable] {
        switch point.technique {
        case .eis:
            let omega = 2 * Double.pi * point.frequency
            let q = omega * transfer * capacitance
            let real = series + transfer / (1 + q * q)
            let imaginary = -transfer * q / (1 + q * q)
            let metadata = range(of: point.current)
            return [
                MethodSCRIPTVariable(type: "dc", value: MethodSCRIPTValue(point.frequency)),
                MethodSCRIPTVariable(
                    type: "cc", value: MethodSCRIPTValue(real * (1 + 1e-4 * noise)), metadata: metadata),
                MethodSCRIPTVariable(
                    type: "cd", value: MethodSCRIPTValue(imaginary * (1 + 1e-4 * noise)), metadata: metadata),
            ]
        case .ocp:
            return [
                MethodSCRIPTVariable(
                    type: "ab", value: MethodSCRIPTValue(point.potential + 1e-5 * noise), metadata: [.status([])])
            ]
        default:
            return [
                MethodSCRIPTVariable(type: "da", value: MethodSCRIPTValue(point.potential)),
                measured("ba", current: point.current, noise: noise),
            ]
        }
    }

    /// A current as the instrument reads it, in the smallest range it fits.
    func measured(_ type: String, current: Double, noise: Double) -> MethodSCRIPTVariable {
        let metadata = range(of: current)
        let fullScale =
            MethodSCRIPTVariable(type: "ba", value: .nan, metadata: metadata).range
            .flatMap { family.currentRange($0) } ?? 1e-3
        let value = MethodSCRIPTValue(current + 1e-5 * fullScale * noise)
        return MethodSCRIPTVariable(type: type, value: value, metadata: metadata)
    }

    private func range(of current: Double) -> [MethodSCRIPTMetadata] {
        let ranges = family.currentRanges
        guard let largest = ranges.last, let smallest = ranges.first else { return [.status([])] }
        let chosen = ranges.first { abs(current) <= 0.8 * $0.fullScale } ?? largest
        var status: MethodSCRIPTStatus = []
        if abs(current) > chosen.fullScale { status.insert(.overload) }
        if abs(current) > 0.8 * chosen.fullScale { status.insert(.overloadWarning) }
        if abs(current) < 0.02 * smallest.fullScale { status.insert(.underload) }
        return [.status(status), .range(chosen.index)]
    }

    /// A package with what goes wrong in it.
    func spoiled(_ package: [MethodSCRIPTVariable], number: Int) -> [MethodSCRIPTVariable] {
        package.map { variable in
            var variable = variable
            guard variable.type == "ba" else { return variable }
            if let every = nanEvery, every > 0, number % every == 0 { variable.value = .nan }
            if let every = overloadEvery, every > 0, number % every == 0 {
                variable.metadata = variable.metadata.map { item in
                    if case .status(let status) = item { return .status(status.union(.overload)) }
                    return item
                }
            }
            return variable
        }
    }

    /// The failure that is due after `packages` packages.
    func failure(afterPackages packages: Int, line: Int) -> MethodSCRIPTFailure? {
        failsAfter == packages ? MethodSCRIPTFailure(code: 0x32, line: line) : nil
    }
}
