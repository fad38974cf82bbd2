import Foundation
import Signals

/// A regularly sampled file of an Empatica E4 export: start and rate in the first two rows, then samples.
struct EmpaticaSignal {
    let role: EmpaticaSource.Role
    /// Start of the first sample, seconds since 1970.
    let start: Double
    let rate: Double
    /// Number of samples by the number of lines.
    let count: Int

    /// What the header rows say; nil with a note when the file is missing, empty or has no samples.
    /// - Throws: `FormatError` naming file and line when they are not as they should be.
    init?(_ role: EmpaticaSource.Role, _ source: EmpaticaSource, _ notes: inout [String]) throws {
        let name = role.rawValue.uppercased() + ".csv"
        guard let rows = try source.rows(role) else {
            notes.append("\(name) is missing")
            return nil
        }
        guard let first = try rows.textLine(), !first.allSatisfy(\.isWhitespace) else {
            notes.append("\(name) is empty")
            return nil
        }
        self.role = role
        let columns = Self.columns(role)
        start = try Self.header(first, columns, rows, "the start in seconds since 1970") {
            $0 > 0 && $0 < 4_102_444_800
        }
        guard let second = try rows.textLine(), !second.allSatisfy(\.isWhitespace) else {
            notes.append("\(name) has only its first line, no sample rate and no samples")
            return nil
        }
        rate = try Self.header(second, columns, rows, "the sample rate in Hz, above 0") {
            Plausible.sampleRates.contains($0)
        }
        count = try rows.countLines()
        if count == 0 { notes.append("\(name) has no samples") }
    }

    /// The file's name as the export has it.
    var name: String { role.rawValue.uppercased() + ".csv" }

    /// When its samples end, in seconds after `origin`, which counts from 1970.
    func end(after origin: Double) -> Seconds {
        EmpaticaSession.seconds(from: origin, to: start) + Double(count) / rate
    }

    /// Files of one session may end so many seconds apart.
    private static let mostApart: Seconds = 10

    /// What is to be said of files that end long before the longest: one wristband fills them all until it is switched off.
    /// Heart rates, which are computed from the pulse afterwards, may end where they like.
    static func earlyEnds(_ signals: [EmpaticaSignal], origin: Double) -> [String] {
        let ends = signals.filter { $0.role != .hr && $0.count > 0 }.map { ($0.name, $0.end(after: origin)) }
        guard let (longest, last) = ends.max(by: { $0.1 < $1.1 }) else { return [] }
        func text(_ seconds: Seconds) -> String { "\((seconds * 10).rounded() / 10) s" }
        return ends.filter { last - $0.1 > mostApart }.map { name, end in
            "\(name) ends at \(text(end)), \(longest) at \(text(last)): was it cut off?"
        }
    }

    static func columns(_ role: EmpaticaSource.Role) -> Int { role == .acc ? 3 : 1 }

    /// The number that all columns of a header row hold.
    static func header(
        _ text: String, _ columns: Int, _ rows: EmpaticaRows, _ expected: String, _ isValid: (Double) -> Bool
    ) throws -> Double {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.prefix(columns).compactMap { NumberParsing.double($0) }
        guard fields.count == columns, numbers.count == columns, numbers.allSatisfy({ $0 == numbers[0] }),
            isValid(numbers[0])
        else {
            let shown = String(text.prefix(60).map { $0.isNewline || $0 == "\0" ? " " : $0 })
            let times = columns > 1 ? ", \(columns) times" : ""
            throw FormatError(rows.name, at: "line \(rows.line)", "found '\(shown)', expected \(expected)\(times)")
        }
        return numbers[0]
    }

    /// Opens the file at its first sample.
    func open(_ source: EmpaticaSource) throws -> EmpaticaRows? {
        guard let rows = try source.rows(role), try rows.textLine() != nil, try rows.textLine() != nil else {
            return nil
        }
        return rows
    }

    var stream: StreamHeader {
        let (kind, channels): (StreamKind, [Channel]) =
            switch role {
            case .acc: (.acceleration, ["x", "y", "z"].map { Channel(label: $0, unit: .g) })
            case .bvp: (.bvp, [Channel(label: "BVP", unit: .dimensionless)])
            case .eda: (.eda, [Channel(label: "EDA", unit: .microsiemens)])
            case .temp: (.temperature, [Channel(label: "TEMP", unit: .degreesCelsius)])
            case .hr: (.heartRate, [Channel(label: "HR", unit: .beatsPerMinute)])
            case .ibi, .tags: (.other, [])
            }
        return StreamHeader(name: kind.rawValue, kind: kind, channels: channels, sampleRate: rate, frameCount: count)
    }

    /// What one number of the file is in the stream's unit: acceleration is stored in 1/64 g.
    var scale: Double { role == .acc ? 1 / 64.0 : 1 }
}
