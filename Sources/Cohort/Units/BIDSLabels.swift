import Study

/// The entities of a BIDS file name that tell recordings apart (BIDS 1.10, "Filenames").
struct BIDSLabels: Hashable {
    var participant: String
    var session: String?
    var task: String?
    var acquisition: String?
    var run: Int?

    /// The labels as captured by a pattern or given as defaults: only letters and digits count.
    /// - Returns: nil when a label has neither, or the run is no number from 1 on.
    init?(labels: [String: String]) {
        func clean(_ key: String) -> String?? {
            guard let text = labels[key] else { return .some(nil) }
            let label = RunName.label(from: text)
            return label.isEmpty ? nil : .some(label)
        }
        guard case let participant?? = clean("subject"), let session = clean("session"), let task = clean("task")
        else { return nil }
        self.participant = participant
        self.session = session
        self.task = task
        if let run = labels["run"] {
            guard let number = Int(run), number > 0 else { return nil }
            self.run = number
        }
    }

    /// The labels of a file name such as `sub-01_ses-02_task-rest_run-1_eeg.edf`.
    /// - Returns: nil when it does not begin with `sub-<label>`.
    init?(entities: [String: String]) {
        guard let participant = entities["sub"], RunName.isLabel(participant) else { return nil }
        self.participant = participant
        session = entities["ses"]
        task = entities["task"]
        acquisition = entities["acq"]
        run = entities["run"].flatMap { Int($0) }
    }
}

/// A file name taken apart as BIDS says: `key-value` pairs, a suffix, an extension.
struct BIDSFileName {
    var entities: [String: String] = [:]
    var suffix: String?
    /// With its dots, `.tsv.gz`.
    var ending: String

    init(_ name: String) {
        let dot = name.firstIndex(of: ".") ?? name.endIndex
        ending = String(name[dot...]).lowercased()
        for part in name[..<dot].split(separator: "_") {
            let pair = part.split(separator: "-", maxSplits: 1)
            if pair.count == 2 { entities[String(pair[0])] = String(pair[1]) } else { suffix = String(part) }
        }
    }
}
