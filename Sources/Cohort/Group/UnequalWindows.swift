import Cardiac

/// Windows of heart-rate variability that are not as long on one side of a comparison as on the other, as where a recording
/// is shorter than `hrv.window`, and what is therefore not compared.
struct UnequalWindows {
    /// The windows of one signal.
    struct Signal {
        var name: String
        /// The mean lengths of the windows on both sides, in seconds.
        var first: Double, second: Double
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
        guard HRVIndex.names.contains(key.index), let lengths = sides.lengths(key) else { return false }
        let longer = max(lengths.first, lengths.second)
        guard abs(lengths.first - lengths.second) > Self.tolerance * longer else { return false }
        let isLeftOut = HRVIndex.namesDependingOnLength.contains(key.index)
        let place = signals.firstIndex { $0.name == key.signal } ?? signals.count
        if place == signals.count {
            signals.append(Signal(name: key.signal, first: lengths.first, second: lengths.second))
        }
        if isLeftOut { signals[place].leftOut.append(key.index) }
        return isLeftOut
    }

    /// The window that both sides can have, in whole seconds: the shorter, but not less than `hrv.window` may be.
    private var common: Int { Int(max(10, signals.map { min($0.first, $0.second) }.min() ?? 10)) }

    private static func seconds(_ length: Double) -> String { "\(Int(length.rounded())) s" }

    /// What is wrong with the comparison `title`, and what to do; nil where nothing is.
    func warning(_ title: String) -> String? {
        guard !signals.isEmpty else { return nil }
        let lengths = signals.map { "\($0.name) \(Self.seconds($0.second)) and \(Self.seconds($0.first))" }
        return "\(title): windows of heart-rate variability are not of one length (\(Listing.text(lengths)) on average)"
            + (leavesOut ? ", so indexes that follow it are not compared" : "")
            + "; in study.yaml hrv: { window: \(common) } makes them so"
    }

    /// What is not compared in the comparison `title`, and why; nil where nothing is left out.
    func reason(_ title: String) -> String? {
        guard leavesOut else { return nil }
        let names = signals.filter { !$0.leftOut.isEmpty }.map { signal in
            "\(signal.leftOut.joined(separator: ", ")) of \(signal.name) (windows of \(Self.seconds(signal.second)) "
                + "and \(Self.seconds(signal.first)) on average)"
        }
        return
            "\(title): \(names.joined(separator: "; ")): they follow the length of the window (\(HRVIndex.sourceOnLength))"
    }
}
