import Quality
import Testing

@Suite struct SessionVerdictTests {
    private static func windows(_ count: Int, bad: Int, _ reasons: [QualityReason]) -> [QualityWindow] {
        (0..<count).map { index in
            let isBad = index < bad
            return QualityWindow(
                onset: Double(index), duration: 1, coverage: 1, quality: isBad ? 0.1 : 0.9,
                reasons: isBad ? reasons : [])
        }
    }

    @Test(arguments: [(0, SessionVerdict.Grade.good), (10, .good), (11, .doubtful), (50, .doubtful), (51, .poor)])
    func theWorstStreamDecides(bad: Int, grade: SessionVerdict.Grade) {
        let verdict = SessionVerdict([
            ("ecg", Self.windows(100, bad: 0, [])), ("eda", Self.windows(100, bad: bad, [.noise])),
            ("empty", []),
        ])
        #expect(verdict.grade == grade)
        #expect(verdict.streams.map(\.name) == ["ecg", "eda"])
        #expect(verdict.line.hasPrefix("\(grade.rawValue): ecg 100 % usable, eda \(100 - bad) % usable"))
    }

    @Test func theCommonestReasonIsNamedWithItsShare() {
        let windows = Self.windows(40, bad: 4, [.flat]) + Self.windows(60, bad: 12, [.noise])
        let verdict = SessionVerdict([("ecg", windows)])
        #expect(verdict.line == "doubtful: ecg 84 % usable (noise 12 %)")
    }

    @Test("A long gap that is told as one window weighs as much as the windows that it stands for")
    func longGapsWeighAsTheyLast() {
        let good = (0..<91).map {
            QualityWindow(onset: Double($0), duration: 10, coverage: 1, quality: 0.9)
        }
        let gap = QualityWindow(onset: 91, duration: 109 + 9, coverage: 0, quality: 0, reasons: [.gap])
        let verdict = SessionVerdict([("ecg", good + [gap])])
        #expect(verdict.line == "poor: ecg 45.5 % usable (gap 54.5 %)")
    }

    @Test func reasonsAreCalledAsWhoeverReadsTheLineKnowsThem() {
        let windows = Self.windows(300, bad: 100, [.lowTemplateCorrelation])
        let verdict = SessionVerdict([("ecg", windows)])
        #expect(verdict.line == "doubtful: ecg 66.7 % usable (lowTemplateCorrelation 33.3 %)")
        #expect(verdict.line(naming: \.explanation) == "doubtful: ecg 66.7 % usable (beats unlike one another 33.3 %)")
    }

    @Test func aShareThatIsNotAllReadsAsLess() {
        let verdict = SessionVerdict([("ecg", Self.windows(4_000, bad: 1, [.noise]))])
        #expect(verdict.line == "good: ecg > 99.9 % usable (noise < 0.1 %)")
    }

    @Test(arguments: [
        (1_001, "doubtful: ecg 89.9 % usable"), (1_000, "good: ecg 90 % usable"), (5_001, "poor: ecg 49.9 % usable"),
    ])
    func aShareThatIsTooSmallDoesNotReadAsEnough(bad: Int, line: String) {
        let verdict = SessionVerdict([("ecg", Self.windows(10_000, bad: bad, [.noise]))])
        #expect(verdict.line.hasPrefix(line), "\(verdict.line)")
    }

    @Test func nothingJudgedHasNoGrade() {
        #expect(SessionVerdict([]).grade == nil)
        #expect(SessionVerdict([]).line == "not judged: no windows")
    }
}
