import Pipeline

/// What made a group's tables: software, recordings and parameters.
struct GroupProvenance: Encodable {
    /// The software's name.
    let software = "Marey"
    /// Its version.
    let version = MareyVersion.current
    /// SHA-256 of what the results of all recordings follow from.
    let recordingsSHA256: String
    /// SHA-256 of the parameters of all recordings.
    let parametersSHA256: String
    /// These parameters; nil where the batch no longer keeps them.
    let parameters: Parameters?

    /// That of the recordings of `plan`, whose results follow from what `keys` are the hashes of.
    init(_ plan: BatchPlan, keys: [String]) {
        recordingsSHA256 = InputHash.sha256(of: keys.joined(separator: "\n"))
        parametersSHA256 = plan.entries[0].plan.parametersSHA256
        parameters = try? plan.folder.parameters(parametersSHA256)
    }
}
