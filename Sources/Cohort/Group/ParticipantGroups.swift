import Formats
import Foundation
import Study

/// The columns of `participants.tsv` that may tell groups of people.
struct ParticipantGroups {
    /// The columns in their order; none where there is no such file.
    private(set) var columns: [Column] = []
    /// What keeps the file, or a part of it, from being used.
    private(set) var warnings: [String] = []

    /// Reads the file of a data set.
    /// - Parameters:
    ///   - participants: the labels of those who were recorded; a row is theirs when its label, with or without
    ///     `sub-`, is the same or becomes the same where only letters and digits count.
    ///   - measured: those of them who have results: the levels are theirs.
    init(_ dataset: URL, participants: Set<String>, measured: Set<String>) {
        let url = dataset.appendingPathComponent("participants.tsv")
        // A link to content that was not fetched is a file, too: reading it says how to get it.
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil else { return }
        do {
            let table = try TextTable(reading: url)
            try table.demandUTF8()
            guard table.has("participant_id") else {
                warnings = [
                    "participants.tsv: no column is called participant_id, so no groups are compared; its columns are separated by tabs"
                ]
                return
            }
            let labels = try table.texts("participant_id")
            let rows = Self.rows(labels, participants)
            let (meanings, problem) = ParticipantLevels.read(dataset)
            columns = try table.names.filter { $0 != "participant_id" }.map { name in
                let texts = try table.texts(name)
                return Column(
                    name: name, of: rows.compactMapValues { Self.trimmed(texts[$0]) }, measured: measured,
                    meanings: meanings[name] ?? [:])
            }
            warnings = problem.map { [$0] } ?? []
            warnings += Self.remarks(
                columns, missing: participants.subtracting(rows.keys).sorted(),
                listed: Set(labels.compactMap { $0 }.map { Self.labels($0).written }))
            let several = Self.several(labels, participants)
            if !several.isEmpty {
                warnings.append(
                    "participants.tsv: has more than one row for \(Listing.text(several)); the first row that is "
                        + "written like the label counts")
            }
        } catch { warnings = ["participants.tsv: no groups are compared: \(error)"] }
    }

    /// What other programs write where nothing is known; BIDS says n/a.
    private static let missing: Set<String> = ["n/a", "N/A", "NA", "NaN", "nan"]

    private static func trimmed(_ text: String?) -> String? {
        let words = text?.trimmingCharacters(in: .whitespaces) ?? ""
        return words.isEmpty || missing.contains(words) ? nil : words
    }

    /// The row of each participant: of several that could be meant the one that is written the same, else the first.
    static func rows(_ labels: [String?], _ participants: Set<String>) -> [String: Int] {
        var (exact, similar): ([String: Int], [String: Int]) = ([:], [:])
        for (row, text) in labels.enumerated() {
            guard let text else { continue }
            let (label, plain) = Self.labels(text)
            if participants.contains(label), exact[label] == nil { exact[label] = row }
            if participants.contains(plain), similar[plain] == nil { similar[plain] = row }
        }
        return exact.merging(similar) { same, _ in same }
    }

    /// A label as it is written, and as it becomes where only letters and digits count.
    private static func labels(_ text: String) -> (written: String, plain: String) {
        let label = text.hasPrefix("sub-") ? String(text.dropFirst(4)) : text
        return (label, RunName.label(from: label))
    }

    /// The participants that more than one row can mean, in order.
    private static func several(_ labels: [String?], _ participants: Set<String>) -> [String] {
        var rows: [String: Int] = [:]
        for text in labels.compactMap({ $0 }) {
            let (written, plain) = Self.labels(text)
            for label in Set([written, plain]).intersection(participants) { rows[label, default: 0] += 1 }
        }
        return rows.filter { $0.value > 1 }.keys.sorted()
    }

    private static func remarks(_ columns: [Column], missing: [String], listed: Set<String>) -> [String] {
        let told = columns.compactMap { column in column.whyNotCompared.map { "participants.tsv: \($0)" } }
        var remarks = Array(told.prefix(most))
        if told.count > most {
            remarks.append(
                "participants.tsv: \(told.count - most) more columns of three levels or more are not compared")
        }
        remarks += columns.compactMap { column in column.withoutResults.map { "participants.tsv: \($0)" } }
        if !missing.isEmpty, !columns.isEmpty {
            let unpadded = missing.filter { label in
                label.hasPrefix("0") && listed.contains(String(label.drop { $0 == "0" }))
            }
            remarks.append(
                "participants.tsv: has no row for \(Listing.text(missing))"
                    + (unpadded.isEmpty
                        ? ""
                        : "; it has \(Listing.text(unpadded.map { String($0.drop { $0 == "0" }) })): were leading zeros lost, as in Excel?")
            )
        }
        return remarks
    }

    /// How many columns are told of one by one.
    private static let most = 12
}
