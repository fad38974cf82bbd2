import Decoding
import Signals
import Testing

@Suite struct TaskSpansTests {
    private func markers(_ labels: [(Double, String)], task: String = "enjoyment") -> [Marker] {
        labels.map { Marker(onset: $0.0, label: "task=\(task) " + $0.1) }
    }

    @Test("blocks take their state from their condition; what was not ended counts for nothing")
    func conditions() {
        let spans = TaskSpans(
            markers(
                [
                    (0, "event=taskBegin seed=1"), (1, "event=blockBegin block=1 condition=attend"),
                    (2, "event=trial block=1 trial=1 stimulus=A"), (9, "event=blockEnd block=1 hits=3"),
                    (10, "event=blockBegin block=2 condition=watch"), (18, "event=blockEnd block=2"),
                    (20, "event=blockBegin block=3 condition=attend"), (22, "event=taskAborted"),
                ], task: "visualAttention"), prediction: "visualAttention")
        #expect(spans.spans.map(\.state) == [.high, .low] && spans.spans.map(\.time) == [1..<9, 10..<18])
        #expect(!spans.isComplete)
    }

    @Test("ratings above the person's median are high, below low, at it neutral")
    func ratings() {
        let labels = [3, 5, 7, 5, 9].enumerated().flatMap { index, rating -> [(Double, String)] in
            let (time, block) = (20 * Double(index), "block=\(index + 1)")
            return [
                (time, "event=blockBegin \(block) condition=look"), (time + 12, "event=blockEnd \(block)"),
                (time + 15, "event=rating \(block) rating=\(rating)"),
            ]
        }
        let spans = TaskSpans(markers(labels + [(120, "event=taskEnd")]), prediction: "enjoyment")
        #expect(spans.spans.map(\.state) == [.low, .neutral, .high, .neutral, .high] && spans.isComplete)
        #expect(TaskSpans(markers(labels), prediction: "focus").spans.isEmpty)
    }

    @Test("where a rated task has neutral blocks, they are the neutral ones, not those at the median rating")
    func neutralSet() {
        var labels: [(Double, String)] = []
        for (index, rating) in [nil, 3, 5, nil, 7, 5, 9].enumerated() {
            let (time, block) = (20 * Double(index), "block=\(index + 1)")
            labels.append((time, "event=blockBegin \(block) condition=\(rating == nil ? "neutral" : "look")"))
            labels.append((time + 12, "event=blockEnd \(block)"))
            if let rating { labels.append((time + 15, "event=rating \(block) rating=\(rating)")) }
        }
        let spans = TaskSpans(markers(labels), prediction: "enjoyment").spans
        #expect(spans.map(\.state) == [.neutral, .low, .neutral, .high, .high])
        #expect(spans.map(\.time.lowerBound) == [0, 20, 60, 80, 120])
    }

    @Test("the end of a task names its prediction")
    func end() {
        #expect(TaskSpans.taskEnded(by: "task=enjoyment event=taskEnd") == "enjoyment")
        #expect(TaskSpans.taskEnded(by: "task=enjoyment event=taskAborted") == nil)
        #expect(TaskSpans.taskEnded(by: "lunch") == nil)
    }
}
