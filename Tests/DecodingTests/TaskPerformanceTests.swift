import Decoding
import Foundation
import Kernels
import Signals
import Testing

/// Task performance from markers.
@Suite struct TaskPerformanceTests {
    /// Styles of answering.
    enum Answers: CaseIterable, Sendable {
        case correct, absent, random, always
    }

    /// The markers of twelve blocks, as the page writes them.
    private func markers(_ answers: Answers, task: String, seed: UInt64) -> [Marker] {
        var random = RandomSource(seed: seed, "answers")
        var labels: [(Double, String)] = [(0, "event=taskBegin seed=1")]
        let (high, low, targetShare) =
            task == "visualAttention"
            ? ("attend", "watch", 0.8) : task == "auditoryAttention" ? ("listen", "rest", 0.25) : ("high", "low", 0.33)
        for block in 1...12 {
            let onset = 20 * Double(block)
            let condition = block % 2 == 0 ? high : low
            let isAsked = block % 2 == 0 || task == "cognitiveWorkload"
            labels.append((onset, "event=blockBegin block=\(block) condition=\(condition)"))
            for trial in 1...10 {
                let time = onset + 1.2 * Double(trial)
                let isTarget = random.uniform() < targetShare
                let told = isAsked ? "\(isTarget)" : "n/a"
                labels.append((time, "event=trial block=\(block) trial=\(trial) stimulus=x isTarget=\(told)"))
                let presses =
                    switch answers {
                    case .correct: isTarget && random.uniform() < 0.9
                    case .absent: false
                    case .random: random.uniform() < 0.5
                    case .always: true
                    }
                if isAsked, presses {
                    labels.append(
                        (
                            time + 0.4,
                            "event=response block=\(block) trial=\(trial) key=space latency=0.4000 isCorrect=\(isTarget)"
                        ))
                }
            }
            labels.append((onset + 14, "event=blockEnd block=\(block)"))
        }
        return labels.map { Marker(onset: $0.0, label: "task=\(task) \($0.1)") }
    }

    @Test(
        "correct answers count as a task that was done; absent, random and constant ones do not",
        arguments: ["visualAttention", "auditoryAttention", "cognitiveWorkload"], Answers.allCases)
    func isDone(task: String, answers: Answers) throws {
        let refused = try (0..<20 as Range<UInt64>).count { seed in
            let performance = try #require(
                TaskPerformance(markers(answers, task: task, seed: seed), prediction: task))
            return performance.refusal != nil
        }
        // By chance one of twenty may look as if it had been done.
        #expect(answers == .correct ? refused == 0 : refused >= 19, "\(refused) of 20 refused")
    }

    @Test("hits, false alarms, d′ and the median response time are those of the trials")
    func counts() throws {
        let performance = try #require(
            TaskPerformance(markers(.always, task: "visualAttention", seed: 1), prediction: "visualAttention"))
        let high = try #require(performance.states[.high])
        #expect(performance.states[.low] == nil)
        #expect(high.targets + (high.others ?? 0) == 60)
        #expect(high.hits == high.targets && high.falseAlarms == high.others)
        #expect(high.medianResponseTime == 0.4)
        func answers(_ json: String) throws -> TaskPerformance.Answers {
            try JSONDecoder().decode(TaskPerformance.Answers.self, from: Data(json.utf8))
        }
        let known = try answers(#"{"targets": 50, "hits": 40, "others": 50, "falseAlarms": 10}"#)
        // z(40.5/51) - z(10.5/51)
        #expect(abs(try #require(known.dPrime) - 1.6405) < 2e-3)
        let uncounted = try answers(#"{"targets": 50, "hits": 40, "falseAlarms": 10}"#)
        #expect(uncounted.dPrime == nil && uncounted.hitShare == 0.8)
    }

    @Test("without trials the ends of blocks count, and tasks that ask for nothing count as done")
    func ends() throws {
        let ends = (0..<6).flatMap { block in
            [
                Marker(
                    onset: 20 * Double(block),
                    label: "task=auditoryAttention event=blockBegin block=\(block) condition=listen"),
                Marker(
                    onset: 20 * Double(block) + 14,
                    label: "task=auditoryAttention event=blockEnd block=\(block) targets=3 hits=0 falseAlarms=0"),
            ]
        }
        let none = try #require(TaskPerformance(ends, prediction: "auditoryAttention"))
        #expect(none.refusal?.contains("0 of 18 targets") == true)
        #expect(TaskPerformance(ends, prediction: "visualAttention") == nil)
        let rated = [Marker(onset: 0, label: "task=enjoyment event=blockBegin block=1 condition=look")]
        #expect(TaskPerformance(rated, prediction: "enjoyment") == nil)
    }
}
