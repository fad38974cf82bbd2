import Cardiac
import Signals

/// Windows of heart-rate variability that are not as long on one side of a comparison, or in one session, as on
/// another, as where a recording is shorter than `hrv.window`, and what is therefore not compared.
struct UnequalWindows {
    /// The windows of one signal.
    struct Signal {
        var name: String
        /// The mean lengths of the windows on each side, in seconds, in the order they are told.
        var lengths: [Double]
        /// The indexes that follow the length and are not compared.
        var leftOut: [String] = []
    }

    /// The signals whose windows differ in length, in the order of the tables.
    private(set) var signals: [Signal] = []

    /// By how much of the longer lengths may differ.
    private static let tolerance = 0.1

    /// Whether indexes were left out.
    var leavesOut: Bool { signals.contains { !$0.leftOut.isEmpty } }

    /// Looks at the windows behind an index that can be compared.
    /// - Returns: whether it must not be.
    mutating func take(_ key: RecordingMeans.Key, of sides: some ComparedSides) -> Bool {
        guard Self.concerns(key), let lengths = sides.lengths(key) else { return false }
        return take(key, lengths: [lengths.second, lengths.first])
    }

    /// Whether an index is one of heart-rate variability, whose windows are looked at.
    static func concerns(_ key: RecordingMeans.Key) -> Bool { HRVIndex.names.contains(key.index) }

    /// Looks at the lengths of the windows behind an index of heart-rate variability on each side, or in each session.
    /// - Returns: whether it must not be compared.
    mutating func take(_ key: RecordingMeans.Key, lengths: [Double]) -> Bool {
        guard let longest = lengths.max(), let shortest = lengths.min(),
            longest - shortest > Self.tolerance * longest
        else { return false }
        let isLeftOut = HRVIndex.namesDependingOnLength.contains(key.index)
        let place = signals.firstIndex { $0.name == key.signal } ?? signals.count
        if place == signals.count {
            signals.append(Signal(name: key.signal, lengths: lengths))
        }
        if isLeftOut { signals[place].leftOut.append(key.index) }
        return isLeftOut
    }

    /// The window that all sides can have, in whole seconds: the shortest, but not less than `hrv.window` may be.
    private var common: Int { Int(max(10, signals.flatMap(\.lengths).min() ?? 10)) }

    private static func seconds(_ lengths: [Double]) -> String {
        lengths.map { "\(Int($0.rounded())) s" }.listed
    }

    /// What is wrong with the comparison `title`, and what to do; nil where nothing is.
    /// - Parameter consequence: what follows for indexes that are left out.
    func warning(_ title: String, consequence: String = "are not compared") -> String? {
        guard !signals.isEmpty else { return nil }
        let lengths = signals.map { "\($0.name) \(Self.seconds($0.lengths))" }
        return "\(title): windows of heart-rate variability are not of one length (\(Listing.text(lengths)) on average)"
            + (leavesOut ? ", so indexes that follow it \(consequence)" : "")
            + "; in study.yaml hrv: { window: \(common) } makes them so"
    }

    /// What is not compared in the comparison `title`, and why; nil where nothing is left out.
    func reason(_ title: String) -> String? {
        guard leavesOut else { return nil }
        let names = signals.filter { !$0.leftOut.isEmpty }.map { signal in
            "\(signal.leftOut.joined(separator: ", ")) of \(signal.name) (windows of \(Self.seconds(signal.lengths)) "
                + "on average)"
        }
        return
            "\(title): \(names.joined(separator: "; ")): they follow the length of the window (\(HRVIndex.sourceOnLength))"
    }
}
