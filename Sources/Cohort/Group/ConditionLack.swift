import Signals

/// Why a participant has no value of an index under a condition.
enum ConditionLack: Hashable {
    /// The participant's recordings have no event of the condition.
    case noCondition
    /// The condition lasts only while another does.
    case noTime
    /// The recordings with the condition do not have the index.
    case noSignal
    /// Fewer seconds of accepted intervals are within the condition than the index needs.
    case tooFewSeconds(found: Seconds, minimum: Seconds, condition: Seconds)
    /// No window is within the condition.
    case noWindow
    /// No window within the condition has a value.
    case noValue(windows: Int, coverage: Double?)

    /// The kinds, in the order of the tables.
    enum Kind: String, CaseIterable {
        case noCondition, noTime, noSignal, tooFewSeconds, noWindow, noValue

        /// The meaning, for the sidecar.
        var definition: String {
            switch self {
            case .noCondition: "their recordings have no event of the condition"
            case .noTime: "the condition lasts only while another does"
            case .noSignal: "their recordings with the condition do not have the index"
            case .tooFewSeconds: "fewer seconds of accepted intervals are within the condition than the index needs"
            case .noWindow: "no window is within the condition"
            case .noValue: "no window within the condition has a value, as where coverage is too low"
            }
        }
    }

    /// Its kind.
    var kind: Kind {
        switch self {
        case .noCondition: .noCondition
        case .noTime: .noTime
        case .noSignal: .noSignal
        case .tooFewSeconds: .tooFewSeconds
        case .noWindow: .noWindow
        case .noValue: .noValue
        }
    }

    /// The distance from a value; of several recordings the nearest reason is reported.
    var nearness: (kind: Int, seconds: Seconds) {
        let place = Kind.allCases.firstIndex(of: kind) ?? 0
        if case .tooFewSeconds(let found, _, _) = self { return (place, found) }
        return (place, 0)
    }

    /// In words for the reader.
    var text: String {
        switch self {
        case .noCondition: return "no such condition"
        case .noTime: return "it lasts only while another condition does"
        case .noSignal: return "no such signal"
        case .tooFewSeconds(let found, let minimum, let condition):
            return "\(Self.seconds(found)) of accepted intervals in \(Self.seconds(condition)), "
                + "at least \(Self.seconds(minimum)) are needed"
        case .noWindow: return "no window is within it"
        case .noValue(let windows, let coverage):
            let covered = coverage.map { ", mean coverage \(Percentage($0))" } ?? ""
            return "no value in \(windows.counted("window"))\(covered)"
        }
    }

    /// Seconds in tenths, never above the value.
    private static func seconds(_ seconds: Seconds) -> String {
        let tenths = (seconds * 10 + 1e-6).rounded(.down) / 10
        return (tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") + " s"
    }
}

extension GroupSummary.Recording {
    /// Why it has no value of an index under a condition; nil where it has one.
    func lack(of key: RecordingMeans.Key, under condition: String) -> ConditionLack? {
        guard toldConditions.contains(condition) else { return .noCondition }
        if coveredConditions.contains(condition) { return .noTime }
        guard means[key] != nil else { return .noSignal }
        let own = conditions[condition]
        if own?[key]?.value != nil { return nil }
        if let accepted = accepted[condition]?[key], accepted.isShort {
            return .tooFewSeconds(
                found: accepted.seconds, minimum: accepted.minimum, condition: accepted.duration)
        }
        guard let mean = own?[key] else { return .noWindow }
        return .noValue(windows: Int(mean.windows), coverage: own?.coverage[key.signal]?.value)
    }
}
