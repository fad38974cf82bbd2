import Devices
import Formats
import Foundation
import Signals

/// The scripts that run on a session's instruments, for a screen: the ends of each one's log and table.
struct ScriptPane: Sendable {
    private var runs: [(device: String, run: MethodSCRIPTRun)] = []
    /// What the instruments are, which says what their ranges are.
    private var families: [String: MethodSCRIPTFamily] = [:]
    /// More than any window shows.
    private static let kept = 200

    var isEmpty: Bool { runs.isEmpty }

    /// A device says who it is.
    mutating func take(_ identity: DeviceIdentity, of device: String) {
        families[device] = MethodSCRIPTFamily(name: identity.model)
    }

    /// Takes a line that a device's script printed; one that is accepted begins a new run.
    mutating func take(_ output: MethodSCRIPTOutput, of device: String, at moment: Seconds) {
        if output == .accepted || !runs.contains(where: { $0.device == device }) {
            runs.removeAll { $0.device == device }
            runs.append((device, MethodSCRIPTRun(family: families[device], start: moment, limit: Self.kept)))
        }
        for index in runs.indices where runs[index].device == device { runs[index].run.add(output, at: moment) }
    }

    /// The runs in at most `room` lines, the newest lines of each.
    func lines(room: Int, heading: (String) -> String) -> [String] {
        guard !runs.isEmpty else { return [] }
        let share = Swift.max(3, room / runs.count)
        return Array(runs.flatMap { Self.lines($0.device, $0.run, room: share, heading: heading) }.prefix(room))
    }

    private static func lines(
        _ device: String, _ run: MethodSCRIPTRun, room: Int, heading: (String) -> String
    ) -> [String] {
        let log = run.log.suffix(Swift.max(1, room / 3))
        let packages = "\(run.packageCount) package\(run.packageCount == 1 ? "" : "s")"
        var lines = ["", heading("\(device) script, \(packages)")] + log.map { "  " + $0 }
        let table = run.table
        let left = room - lines.count - 1
        guard left > 0, !table.rows.isEmpty else { return lines }
        let shown = table.columns.indices.filter { column in
            table.rows.contains { Self.isTelling($0[column], in: table.columns[column]) }
        }
        lines.append(heading("  " + shown.map { padded(title(table.columns[$0])) }.joined()))
        for row in table.rows.suffix(left) {
            lines.append("  " + shown.map { padded(text(row[$0])) }.joined())
        }
        return lines
    }

    /// Columns that hold nothing, or a status that is well throughout, would only take room.
    private static func isTelling(_ cell: Cell, in column: Column) -> Bool {
        cell != .missing && !(column.name.hasSuffix("Status") && cell == .integer(0))
    }

    private static func title(_ column: Column) -> String {
        let hasUnit = column.unit != .unknown && column.unit != .dimensionless
        return column.name + (hasUnit ? " (\(column.unit.rawValue))" : "")
    }

    private static func text(_ cell: Cell) -> String {
        switch cell {
        case .integer(let number): "\(number)"
        case .onset(let seconds): String(format: "%.2f", seconds)
        case .number(let number): engineering(number)
        case .text(let text): text
        case .missing: "–"
        }
    }

    /// A number with the prefix of its size, such as `1.234 µ`.
    static func engineering(_ value: Double) -> String {
        guard value != 0, value.isFinite else { return value == 0 ? "0" : "–" }
        let power = Swift.min(3, Swift.max(-6, Int((log10(abs(value)) / 3).rounded(.down))))
        let prefixes = ["a", "f", "p", "n", "µ", "m", "", "k", "M", "G"]
        let scaled = value / pow(1_000, Double(power))
        return String(format: "%.4g ", scaled) + prefixes[power + 6]
    }

    private static func padded(_ text: String) -> String {
        text + String(repeating: " ", count: Swift.max(1, 22 - text.count))
    }
}
