import Foundation
import Kernels
public import Signals

/// Answers of a participant in a calibration task, by state, from the task's markers.
public struct TaskPerformance: Hashable, Codable, Sendable {
    /// The answers in the blocks of one state.
    public struct Answers: Hashable, Codable, Sendable {
        /// Trials that asked for a key press.
        public var targets = 0
        /// Key presses in them.
        public var hits = 0
        /// Trials that asked for none; nil where the markers do not count them.
        public var others: Int?
        /// Key presses in them.
        public var falseAlarms = 0
        /// The median time from a target to its key press in seconds; nil without one.
        public var medianResponseTime: Seconds?

        /// The sensitivity d′: hits against false alarms, half a trial added to each of four counts (log-linear correction;
        /// Hautus 1995, Behavior Research Methods 27:46). Nil where there are no targets or no other trials.
        public var dPrime: Double? {
            guard targets > 0, let others, others > 0 else { return nil }
            let hitRate = (Double(hits) + 0.5) / (Double(targets) + 1)
            let alarmRate = (Double(falseAlarms) + 0.5) / (Double(others) + 1)
            return Self.normalQuantile(hitRate) - Self.normalQuantile(alarmRate)
        }

        /// The share of targets that were answered; nil without targets.
        public var hitShare: Double? { targets > 0 ? Double(hits) / Double(targets) : nil }

        /// The quantile of the standard normal distribution by bisection of its distribution function.
        private static func normalQuantile(_ probability: Double) -> Double {
            var (low, high) = (-9.0, 9.0)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
            }
            return (low + high) / 2
        }
    }

    /// The answers of each state whose blocks asked for key presses.
    public var states: [DecodedState: Answers]

    /// d′ over all trials that asked for an answer must be at least this.
    public static let leastSensitivity = 1.0
    /// The share of targets to be answered in each state that has any. Where the markers count no other trials, it decides
    /// alone.
    public static let leastHitShare = 0.25

    /// The answers in the task of this prediction among `markers`, which are in order of time; nil where no block of it counts
    /// targets and hits.
    ///
    /// Trials count where their markers say whether they were targets (`isTarget=true` or `false`). In recordings without
    /// such trials the ends of blocks count (`targets=3 hits=2 falseAlarms=0`).
    public init?(_ markers: [Marker], prediction: String) {
        var found: [DecodedState: Answers] = [:]
        var latencies: [DecodedState: [Seconds]] = [:]
        var ends: [DecodedState: Answers] = [:]
        var state: DecodedState?
        var pending: (key: String, isTarget: Bool)?
        for marker in markers {
            let words = TaskSpans.words(marker.label)
            guard words["task"] == prediction, let event = words["event"] else { continue }
            let key = "\(words["block"] ?? "") \(words["trial"] ?? "")"
            switch event {
            case "taskBegin": (found, ends, latencies, state) = ([:], [:], [:], nil)
            case "blockBegin": (state, pending) = (words["condition"].flatMap { TaskSpans.states[$0] }, nil)
            case "trial":
                guard let state, let isTarget = words["isTarget"].flatMap(Bool.init) else { pending = nil; continue }
                pending = (key, isTarget)
                if isTarget {
                    found[state, default: Answers(others: 0)].targets += 1
                } else {
                    found[state, default: Answers(others: 0)].others? += 1
                }
            case "response":
                guard let state, let trial = pending, trial.key == key else { continue }
                pending = nil
                guard trial.isTarget else {
                    found[state, default: Answers(others: 0)].falseAlarms += 1
                    continue
                }
                found[state, default: Answers(others: 0)].hits += 1
                if let latency = words["latency"].flatMap(Double.init) { latencies[state, default: []].append(latency) }
            case "blockEnd":
                guard let state, let targets = words["targets"].flatMap(Int.init),
                    let hits = words["hits"].flatMap(Int.init)
                else { continue }
                ends[state, default: Answers()].targets += max(0, targets)
                ends[state, default: Answers()].hits += max(0, hits)
                ends[state, default: Answers()].falseAlarms += max(0, words["falseAlarms"].flatMap(Int.init) ?? 0)
            default: break
            }
        }
        for (state, times) in latencies where !times.isEmpty {
            found[state]?.medianResponseTime = Statistics.median(times)
        }
        states = found.isEmpty ? ends : found
        if states.isEmpty { return nil }
    }

    /// When keys were pressed in the task of a prediction, in seconds from the recording's start.
    public static func responses(_ markers: [Marker], prediction: String) -> [Seconds] {
        markers.compactMap { marker in
            let words = TaskSpans.words(marker.label)
            return words["task"] == prediction && words["event"] == "response" ? marker.onset : nil
        }
    }

    /// The answers of all states together.
    public var total: Answers {
        var sum = Answers(others: 0)
        for (_, answers) in states {
            sum.targets += answers.targets
            sum.hits += answers.hits
            sum.falseAlarms += answers.falseAlarms
            sum.others = sum.others.flatMap { sum in answers.others.map { sum + $0 } }
        }
        return sum
    }

    /// Why the task counts as not done, in words a person understands; nil where it was done.
    public var refusal: String? {
        let repeats = "repeat the calibration and press the key for every target"
        for state in DecodedState.allCases {
            guard let answers = states[state], let share = answers.hitShare, share < Self.leastHitShare else {
                continue
            }
            return "the task was not done: \(answers.hits) of \(answers.targets) targets in the blocks of the "
                + "\(state.rawValue) state were answered, at least \(Scores.percent(Self.leastHitShare)) are needed: \(repeats)"
        }
        guard let sensitivity = total.dPrime, sensitivity < Self.leastSensitivity else { return nil }
        return "the task was not done: the key was pressed for \(total.hits) of \(total.targets) targets and for "
            + "\(total.falseAlarms) of \(total.others ?? 0) other trials (d′ = \(Self.text(sensitivity)), at least "
            + "\(Self.text(Self.leastSensitivity)) is needed): \(repeats), and for nothing else"
    }

    /// The answers in a line, such as `high: hits 40 of 48, false alarms 2 of 12, d′ 2.1, median RT 0.42 s`.
    public var summary: String {
        DecodedState.allCases.compactMap { state in
            states[state].map { answers in
                var words = ["hits \(answers.hits) of \(answers.targets)"]
                words.append("false alarms \(answers.falseAlarms)" + (answers.others.map { " of \($0)" } ?? ""))
                if let sensitivity = answers.dPrime { words.append("d′ \(Self.text(sensitivity))") }
                if let time = answers.medianResponseTime { words.append("median RT \(Self.text(time)) s") }
                return "\(state.rawValue): " + words.joined(separator: ", ")
            }
        }.joined(separator: "; ")
    }

    private static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
