import Foundation
import Signals

/// What the table `…_channels.tsv` that applies to a recording says of its channels: what they measure, in which unit,
/// and which of them somebody found bad (BIDS 1.10, "Channels description").
struct BIDSChannels {
    private struct Row: Equatable {
        var name: String
        var type: String?
        var unit: String?
        /// What is wrong with the channel; nil where it is not called bad.
        var fault: String?
    }

    private let file: String
    private var rows: [Row] = []
    private var notes: [String] = []

    /// The table that applies to `recording`; nil where there is none.
    /// - Throws: `FormatError` when it cannot be read or names no channels. What it may say of bad ones is not passed over.
    init?(for recording: URL) throws {
        guard let url = Self.file(for: recording) else { return nil }
        file = url.lastPathComponent
        let table = try TextTable(reading: url)
        func texts(_ column: String) throws -> [String?] {
            // A table written by hand may say `Status`.
            let names = table.names.filter { $0.lowercased() == column }
            guard names.count < 2 else {
                throw FormatError(url, at: "header", "names the column \"\(column)\" twice")
            }
            return try names.first.map(table.texts) ?? Array(repeating: nil, count: table.rowCount)
        }
        let (types, units, states) = (try texts("type"), try texts("units"), try texts("status"))
        let reasons = try texts("status_description")
        var undecided: [String] = []
        // Without it, the table says so itself.
        let names = try table.names.contains { $0.lowercased() == "name" } ? texts("name") : table.texts("name")
        for (row, name) in names.enumerated() {
            guard let name else {
                throw FormatError(url, at: "line \(table.line(ofRow: row))", "names no channel")
            }
            var fault: String?
            switch states[row]?.lowercased() {
            case "bad": fault = reasons[row] ?? "bad"
            case nil, "good": break
            case .some: undecided.append(name)
            }
            rows.append(Row(name: name, type: types[row]?.uppercased(), unit: units[row], fault: fault))
        }
        if !undecided.isEmpty {
            notes.append(
                "\(file): the status of \(undecided.joined(separator: ", ")) is neither good nor bad; taken for good")
        }
    }

    /// Gives channels what the table says of them.
    ///
    /// - **Names** are compared as they are, the rest without case and without a word such as `EEG` before them, and what is
    ///   left then without a reference behind them, as in `EEG Fp2-REF`. Where none is the same and there are as many rows as
    ///   channels they are taken in order, and called as the table does.
    /// - **Types** are believed, but that of EEG: all channels of a file are often said to be that, and a label such as `ECG`
    ///   knows better. What is `MISC` is what its label says.
    /// - **Units** count where the file tells none: it knows how its numbers are scaled.
    /// - **Bad** channels become of kind `other`, with what is wrong with them. Those that cannot be found are told.
    /// - Returns: what is to be said of it.
    func describe(_ channels: inout [DescribedChannel]) -> [String] {
        var (notes, bad, unknown) = (notes, [String](), [String]())
        let matched = match(channels.map(\.channel.label), &notes)
        for place in channels.indices {
            guard let row = matched[place] else { continue }
            if matched.isByOrder { channels[place].channel.label = row.name }
            let label = channels[place].channel.label
            if channels[place].channel.unit == .unknown, let unit = row.unit {
                channels[place].channel.unit = SignalKind.meant(Unit(unit), by: channels[place].kind)
            }
            if let type = row.type {
                channels[place].isTrigger = type == "TRIG"
                channels[place].isTyped = true
                let kind = Self.kind(type, label, channels[place])
                if kind == nil, !unknown.contains(type) { unknown.append(type) }
                channels[place].kind = kind ?? channels[place].kind
            }
            guard let fault = row.fault else { continue }
            channels[place].channel.fault = fault
            channels[place].kind = .other
            bad.append(fault == "bad" ? label : "\(label) (\(fault))")
        }
        if !unknown.isEmpty {
            notes.append(
                "\(file): the type \(unknown.joined(separator: ", ")) is not known; labels and units say what it is")
        }
        if !bad.isEmpty {
            notes.append("bad by \(file), and left out of what is computed: \(bad.joined(separator: ", "))")
        }
        let missed = matched.unused.filter { $0.fault != nil }.map(\.name)
        if !missed.isEmpty {
            notes.append(
                "bad by \(file), but not left out of what is computed, as no one channel of the recording is called so: "
                    + missed.joined(separator: ", "))
        }
        return notes
    }

    /// Which row tells of which channel.
    private struct Matched {
        var rows: [Row?]
        /// Those that tell of none.
        var unused: [Row] = []
        var isByOrder = false

        subscript(place: Int) -> Row? { rows[place] }
    }

    private func match(_ labels: [String], _ notes: inout [String]) -> Matched {
        if self.rows.map(\.name) == labels { return Matched(rows: self.rows) }
        let rows = once(labels)
        var (found, left) = ([Row?](repeating: nil, count: labels.count), rows)
        for key in [{ $0 }, Self.plain] as [(String) -> String] {
            let named = Dictionary(grouping: left) { key($0.name) }
            let places = Dictionary(grouping: labels.indices.filter { found[$0] == nil }) { key(labels[$0]) }
            for (name, rows) in named where rows.count == 1 {
                guard let fitting = places[name], fitting.count == 1 else { continue }
                found[fitting[0]] = rows[0]
            }
            let names = Set(found.compactMap { $0?.name })
            left.removeAll { names.contains($0.name) }
        }
        matchBare(labels, rows, &found, &left)
        if left.count < rows.count {
            if !left.isEmpty {
                notes.append(
                    "\(file) tells of channels that the recording has not, or more than once: "
                        + left.map(\.name).joined(separator: ", "))
            }
            return Matched(rows: found, unused: left)
        }
        guard rows.count == labels.count else {
            notes.append(
                "\(file) tells of \(rows.count) channels, none of them called as those of the recording: unused")
            return Matched(rows: found, unused: left)
        }
        notes.append("\(file) names the channels otherwise than the recording; they are taken in order, by its names")
        return Matched(rows: rows, isByOrder: true)
    }

    /// The rows without those that say of a channel once more that it is bad, or all the same.
    private func once(_ labels: [String]) -> [Row] {
        var told: [String: Row] = [:]
        return rows.filter { row in
            guard let first = told[row.name] else {
                told[row.name] = row
                return true
            }
            // Channels that are called alike may have a row each.
            guard labels.count(where: { Self.plain($0) == Self.plain(row.name) }) < 2 else { return true }
            return first != row && (first.fault == nil || row.fault == nil)
        }
    }

    /// Finds what is left by bare names, where these mean one channel and one row of all that there are.
    private func matchBare(_ labels: [String], _ rows: [Row], _ found: inout [Row?], _ left: inout [Row]) {
        let places = Dictionary(grouping: labels.indices) { Self.bare(labels[$0]) }
        let named = Dictionary(grouping: rows) { Self.bare($0.name) }
        left.removeAll { row in
            let name = Self.bare(row.name)
            guard named[name]?.count == 1, let fitting = places[name], fitting.count == 1, found[fitting[0]] == nil
            else { return false }
            found[fitting[0]] = row
            return true
        }
    }

    /// A plain name without the reference that clinical recorders put behind it: `FP2` of `EEG Fp2-REF`.
    private static func bare(_ name: String) -> String {
        var words = plain(name).split { " -_:/".contains($0) }
        if words.count > 1, recorders.contains(words[0]) { words.removeFirst() }
        if words.count > 1, let last = words.last, references.contains(last) { words.removeLast() }
        return words.joined(separator: "-")
    }

    /// Words before the name of an electrode, where no blank parts them from it or they are a maker's.
    private static let recorders: Set<Substring> = ["EEG", "EOG", "ECG", "EMG", "RESP", "TEMP", "POL"]
    private static let references: Set<Substring> = [
        "REF", "LE", "RE", "LER", "AVG", "AVE", "AV", "AR", "CAR", "A1", "A2", "A1A2", "AA", "M1", "M2", "M1M2",
    ]

    /// A name without case, and without the word for what is measured that EDF+ puts before it.
    private static func plain(_ name: String) -> String {
        var words = name.uppercased().split(separator: " ")
        if words.count > 1, ["EEG", "EOG", "ECG", "EMG", "RESP", "TEMP"].contains(words[0]) { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// What a channel of a type measures; nil where the type is not known.
    private static func kind(_ type: String, _ label: String, _ described: DescribedChannel) -> StreamKind? {
        switch type {
        case "EEG": SignalKind.kind(saidToBeEEG: label)
        case "MISC": SignalKind.said(by: label) ?? .other
        case "REF": described.kind
        case "GSR": SignalKind.isResistance(described.channel.unit) ? .other : .eda
        default: kinds[type]
        }
    }

    private static let kinds: [String: StreamKind] = [
        "ECG": .ecg, "PPG": .bvp, "RESP": .respiration, "TEMP": .temperature, "TRIG": .marker, "EOG": .other,
        "HEOG": .other, "VEOG": .other, "EMG": .other, "AUDIO": .other, "EYEGAZE": .other, "PUPIL": .other,
        "SYSCLOCK": .other, "ADC": .other, "DAC": .other, "OTHER": .other,
    ]
}

extension BIDSChannels {
    /// The table that applies to a recording of one file, the nearest by inheritance, or `<name>_channels.tsv` beside a recording
    /// without a BIDS name; nil where there is none.
    static func file(for recording: URL) -> URL? {
        let recording = NamelessFile.content(at: recording.path) ?? recording
        if let entities = BIDSInheritance.entities(of: recording) {
            return BIDSInheritance.files("channels.tsv", for: recording, entities: entities).first { _ in true }
        }
        let folder = recording.standardizedFileURL.deletingLastPathComponent()
        let name = recording.lastPathComponent.prefix { $0 != "." } + "_channels.tsv"
        guard BIDSInheritance.isThere(String(name), in: folder) else { return nil }
        return folder.appendingPathComponent(String(name), isDirectory: false)
    }
}
