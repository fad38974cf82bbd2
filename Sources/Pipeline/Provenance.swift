import Foundation
public import Signals

/// What made a result: software, parameters and inputs, so that it can be made again.
public struct Provenance: Codable, Hashable, Sendable {
    /// The software's name.
    public var software = "Marey"
    /// Its version.
    public var version = MareyVersion.current
    /// The kind of machine it ran on, such as `linux x86_64`.
    public var machine = Self.thisMachine
    /// The files that were read.
    public var inputs: [InputHash]
    /// All parameters.
    public var parameters: Parameters
    /// SHA-256 of the parameters.
    public var parametersSHA256: String
    /// The files of results that it belongs to, by their places in its folder; nil where an earlier version of the
    /// software did not say.
    public var outputs: [String]?
    /// What whoever uses the results should know of the recording, such as that its end is missing; nil where there is
    /// nothing to say.
    public var remarks: [String]?
    /// The streams from which nothing was computed though their signals could be, and why; nil where there is none.
    public var skipped: [SkippedStream]?
    /// Seconds from the recording's start, from which results count, to the moment from which its source counts its times,
    /// such as the start of a run; nil where that is the start.
    public var sourceOrigin: Seconds?

    /// What is about to be computed from `inputs` with `parameters`.
    /// - Parameter hash: that of the parameters, where it is known already.
    public init(inputs: [InputHash], parameters: Parameters, hash: String? = nil) throws {
        self.inputs = inputs
        self.parameters = parameters
        parametersSHA256 = try hash ?? parameters.hash()
    }

    private static var thisMachine: String {
        #if arch(x86_64)
            return "linux x86_64"
        #elseif arch(arm64)
            return "linux arm64"
        #else
            return "linux"
        #endif
    }
}
