/// Where the work on one recording stands.
public enum UnitState: String, Codable, CaseIterable, Sendable {
    /// Its results are complete and follow from the recording, parameters and version as they are.
    case done
    /// It was tried and could not be done.
    case failed
    /// Someone is at it.
    case running
    /// Someone was at it and is gone.
    case lost
    /// Nobody has begun, or what was done is out of date.
    case pending
    /// What says where it stands belongs to somebody who does not let us read it.
    case unreadable
    /// The data set no longer has it; its results stay until someone deletes them, and nothing takes them up.
    case orphaned
}
