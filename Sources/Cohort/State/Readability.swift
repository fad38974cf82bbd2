import Foundation

/// What of a batch belongs to somebody who does not let us read it: that is said as such, and taken for nothing else.
extension BatchFolder {
    /// Whether a batch was ever begun here.
    /// - Throws: `CohortError` when that, or where its recordings stand, may not be looked at.
    public func isBegun() throws -> Bool {
        for folder in [root] + [".marey", ".marey/batch"].map({ root.appendingPathComponent($0) }) {
            if let refusal = Self.refusal(folder, X_OK) { throw refusal }
        }
        guard exists else { return false }
        for part in ["units", "done", "failed", "locks"].map(state) {
            if let refusal = Self.refusal(part, R_OK | X_OK) { throw refusal }
        }
        return true
    }

    /// Why it cannot be told where a recording stands; nil where it can.
    func refusal(of stem: String) -> CohortError? {
        let files = [planFile, doneFile, failedFile].map { $0(stem) }
        if let refusal = files.lazy.compactMap({ Self.refusal($0) }).first { return refusal }
        return marker(stem).flatMap { refusal(of: $0, F_OK) }
    }

    /// Why results cannot be had: the first of them that cannot; nil where all can, or are not there.
    /// - Parameter mode: `R_OK` to be read, `F_OK` to be there.
    func refusal(of marker: DoneMarker, _ mode: CInt = R_OK) -> CohortError? {
        marker.outputs.lazy.compactMap {
            Self.refusal(root.appendingPathComponent($0.path, isDirectory: false), mode)
        }.first
    }

    /// Why something that is there, or may be, cannot be had; nil where it can, or is not there.
    static func refusal(_ url: URL, _ mode: CInt = R_OK) -> CohortError? {
        guard access(url.path, mode) != 0, [EACCES, EPERM].contains(errno) else { return nil }
        let reason = String(cString: strerror(EACCES))
        return CohortError(url, "cannot be read: \(reason)", advice: "ask its owner for permission to read it")
    }
}

extension CohortUnit {
    /// What the names of its results tell of a recording whose plan cannot be read.
    init(stem: String) {
        var entities: [Substring: String] = [:]
        for part in stem.split(separator: "_") {
            let pair = part.split(separator: "-", maxSplits: 1)
            if pair.count == 2 { entities[pair[0]] = String(pair[1]) }
        }
        participant = entities["sub"] ?? stem
        (session, task, acquisition) = (entities["ses"], entities["task"], entities["acq"])
        run = entities["run"].flatMap { Int($0) }
        if let text = entities["run"], let run, text != String(run) { spelling = ["run": text] }
        (recording, files) = ("", [])
    }
}
