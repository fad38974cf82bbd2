import Decoding
import Formats
import Foundation
import Pipeline
import Signals

/// A session's predictions in the form that programs for Arctop's sessions read: a CSV file per metric.
///
/// The first column is the time in milliseconds since 1970. What cannot be decoded is −1; a heart rate's variability that
/// is not known is NaN; heart rates above 120 per minute are written as 120. Marey's own tables do none of this.
struct CompatibilityFolder {
    /// What the files' names begin with.
    var stem: String
    /// When the recording began.
    var start: Timestamp

    /// Heart rates end here.
    static let highestRate = 120.0

    /// Writes the folder; what an earlier analysis left in it goes with its other results.
    /// - Returns: the names of its files.
    /// - Throws: `FormatError` when a file cannot be written.
    func write(_ found: PredictionResults, markers: [Marker], to folder: URL) throws -> [String] {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FormatError(folder, "cannot be made: \(SystemReason.text(error))")
        }
        let files = files(found, markers)
        for file in files { try writeAtomically(Array(file.text.utf8), to: folder.appendingPathComponent(file.name)) }
        return files.map(\.name)
    }

    private func files(_ found: PredictionResults, _ markers: [Marker]) -> [(name: String, text: String)] {
        var tables = found.series.compactMap { series in
            Prediction.named(series.prediction).flatMap(Self.names).map { name, column in
                (name, table([column], values(series, found).map { ($0.time, [code($0.value)]) }))
            }
        }
        if let heart = heart(found) { tables.append(("Heart Rate", heart)) }
        let tags = markers.filter { !$0.isOfCalibration }
        if !tags.isEmpty { tables.append(("Tags", table(["Tag"], tags.map { ($0.onset, [Self.quoted($0.label)]) }))) }
        return tables.map { ("\(stem) \($0.0).csv", $0.1) } + [("About these files.txt", Self.conventions)]
    }

    /// What the file of a prediction and its column are called: `visualAttention` is `Visual Attention`. Nil for the
    /// heart, whose two share a file.
    private static func names(_ prediction: Prediction) -> (file: String, column: String)? {
        switch prediction {
        case .heartRate, .heartRateVariability: return nil
        case .sleep: return ("Sleep", "Sleep Detection")
        case .blink: return ("Blinks", "Blinks")
        default:
            let words = prediction.title.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return (words.joined(separator: " "), words.joined(separator: " "))
        }
    }

    /// The values of a prediction: of blinks, which are told as they come, every second's.
    private func values(
        _ series: PredictionResults.Series, _ found: PredictionResults
    ) -> [(time: Seconds, value: Double)] {
        guard series.prediction == Prediction.blink.name else { return series.values.map { ($0.time, $0.value) } }
        return found.blinkSeconds.map { ($0.onset, $0.blink.map(Double.init) ?? .nan) }
    }

    /// Rate and variability, in one file, when one of them was asked for.
    private func heart(_ found: PredictionResults) -> String? {
        let rates = found.values(of: .heartRate)
        let variability = Dictionary(
            found.values(of: .heartRateVariability).map { ($0.time, $0.value) }, uniquingKeysWith: { $1 })
        let times = rates.isEmpty ? variability.keys.sorted() : rates.map(\.time)
        guard found.series.contains(where: { $0.prediction.hasPrefix("heartRate") }) else { return nil }
        let byTime = Dictionary(rates.map { ($0.time, $0.value) }, uniquingKeysWith: { $1 })
        return table(
            ["Heart Rate (bpm)", "HRV (ms)"],
            times.map { time in
                let rate = byTime[time].map { Self.number(min($0, Self.highestRate)) } ?? "NaN"
                return (time, [rate, Self.number(variability[time] ?? .nan)])
            })
    }

    private func table(_ names: [String], _ rows: [(time: Seconds, cells: [String])]) -> String {
        var text = (["Time"] + names).joined(separator: ",") + "\n"
        for row in rows {
            let time = ((start.secondsSince1970 + row.time) * 1_000).rounded()
            text += "\(Int64(time))," + row.cells.joined(separator: ",") + "\n"
        }
        return text
    }

    private func code(_ value: Double) -> String { value.isNaN ? "-1" : Self.number(value) }

    private static func number(_ value: Double) -> String { value.isNaN ? "NaN" : TSV.text(.number(value)) }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    private static let conventions = """
        These files hold a session's predictions in the form that programs for Arctop sessions read.

        Time        milliseconds since 1970, UTC; of a metric the end of its epoch: the value is known some two
                    seconds later, as cleaning looks ahead
        metrics     0 to 1, 0.5 at the person's neutral; -1 where the EEG could not be decoded
        Sleep       1 asleep, 0 awake, -1 where samples are missing
        Blinks      a row per second: 1 where the eyes blinked, else 0; -1 where no electrode could show it
        Heart Rate  beats per minute, and RMSSD of the last minute in ms (NaN with too few beats);
                    rates above 120 are written as 120
        Tags        only where there are any

        Marey's own tables beside this folder (…_desc-…_physio.tsv) clip nothing and write n/a for what is missing.
        """ + "\n"
}
