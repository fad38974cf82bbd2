import Brain
import Foundation
import Signals
import TestSupport
import Testing

/// The published rules of sustained inactivity and of sensors that are not worn, on signals made by hand.
@Suite struct InactivityRuleTests {
    private static let rate = 4.0

    /// A sensor that is held at these angles of its z axis to the horizontal, in degrees, for five seconds each, with this
    /// many g more at each sample.
    private static func epochs(_ angles: [Double], adding: (Int) -> Double = { _ in 0 }) -> [SleepEpoch] {
        var rows = [[Float]](repeating: [], count: 3)
        for frame in 0..<angles.count * 20 {
            let angle = angles[frame / 20] * .pi / 180
            for (axis, value) in [cos(angle), 0, sin(angle)].enumerated() {
                rows[axis].append(Float(value + adding(frame)))
            }
        }
        let axes = ["x", "y", "z"].map { Channel(label: $0, unit: .g) }
        return run(
            InactivitySleep(channels: axes, sampleRate: rate),
            SampleBlock(channelCount: 3, samples: rows.flatMap { $0 }), sampleRate: rate)
    }

    /// A minute of turns by 20° every five seconds.
    private static let turning = (0..<12).map { $0 % 2 == 0 ? 0.0 : 20 }

    @Test("Five minutes without a turn are sleep, five seconds less are not")
    func sleepIsFiveMinutes() {
        for (pieces, asleep) in [(59, 0), (60, 10), (66, 11)] {
            let found = Self.epochs(Self.turning + Array(repeating: 40, count: pieces) + Self.turning)
            #expect(found.count { $0.asleep == 1 } == asleep, "\(pieces)")
            #expect(found.prefix(2).allSatisfy { $0.asleep == 0 })
            #expect(found.dropFirst(2).prefix(asleep).allSatisfy { $0.asleep == 1 })
        }
    }

    @Test("A turn is a change of more than 5° from one mean to the next, however far it goes in the end")
    func turnsAreFiveDegrees() {
        func asleep(_ angles: [Double]) -> Int { Self.epochs(angles).count { $0.asleep == 1 } }
        #expect(asleep((0..<120).map { $0 % 2 == 0 ? 30 : 34.9 }) == 20)
        #expect(asleep((0..<120).map { $0 % 2 == 0 ? 30 : 35.1 }) == 0)
        #expect(asleep((0..<120).map { -60 + Double($0) }) == 20)
    }

    /// An hour in one place; each axis swings up and down by `swing` mg, and jumps once by `jump` mg.
    @Test(
        "An hour below 13 mg of standard deviation and 50 mg of range is not worn",
        arguments: [(12.0, 0.0, false), (14, 0, true), (2, 45, false), (2, 55, true)] as [(Double, Double, Bool)])
    func stillnessIsNoSleep(swing: Double, jump: Double, isWorn: Bool) {
        let found = Self.epochs(Array(repeating: 30, count: 720)) { frame in
            ((frame % 2 == 0 ? swing : -swing) + (frame == 7_001 ? jump : 0)) / 1_000
        }
        #expect(found.count == 120)
        #expect(found.allSatisfy { isWorn ? $0.asleep == 1 : $0.reason == .notWorn })
    }
}
