public import Signals

/// Where a run stands.
public enum RunStatus: String, Codable, CaseIterable, Sendable {
    /// Being recorded.
    case running
    /// Recorded; summaries are being computed.
    case finishing
    /// Recorded or imported whole.
    case finished
    /// Repaired after an interruption.
    case recovered
    /// Ended by an error; what was recorded is kept.
    case failed
}

/// Where an analysis stands.
public enum AnalysisStatus: String, Codable, CaseIterable, Sendable {
    case running, finished, failed
}

/// One run as the bookkeeping knows it.
public struct RunRecord: Hashable, Codable, Sendable {
    /// Row id.
    public var id: Int64
    /// Participant, session, task and run.
    public var name: RunName
    /// Path of the recording, relative to the study.
    public var file: String
    /// SHA-256 of the recording when it was noted, in hexadecimal.
    public var sha256: String?
    /// Where it stands.
    public var status: RunStatus
    /// Why it failed; nil where it did not, or nobody knew.
    public var message: String?
    /// When it was begun or taken into the study, seconds since 1970.
    public var addedAt: Seconds
}

/// One analysis as the bookkeeping knows it.
public struct AnalysisRecord: Hashable, Codable, Sendable {
    /// Row id.
    public var id: Int64
    /// Row id of the run.
    public var run: Int64
    /// Version of the software.
    public var version: String
    /// All parameters, as JSON.
    public var parameters: String
    /// SHA-256 of `parameters`.
    public var parametersHash: String
    /// SHA-256 of the recording that was analyzed.
    public var inputSHA256: String
    /// How it went.
    public var status: AnalysisStatus
    /// What went wrong, when it failed.
    public var message: String?
    /// The files of its results with their lengths and hashes, as JSON; nil where an earlier version did not note them.
    public var files: String?
}
