import Foundation
import Pipeline

/// Says that the results of a recording are complete, and pins them. It is written last: without it, whatever lies in
/// the output folder counts for nothing.
public struct DoneMarker: Hashable, Codable, Sendable {
    /// One result.
    public struct Output: Hashable, Codable, Sendable {
        /// Relative to the output folder.
        public var path: String
        /// Its length.
        public var bytes: Int
        /// SHA-256 of its content, in hexadecimal.
        public var sha256: String
    }

    /// What was done.
    public var plan: UnitPlan
    /// Hash of inputs, parameters and version.
    public var key: String
    /// The results, in order of their paths.
    public var outputs: [Output]

    /// Whether results are being put in their place, or were when the work was cut off: then it lists what may lie there.
    var isPassing: Bool { key.isEmpty }

    /// Whether the plan is the one that was carried out, as far as can be told without reading the recording, and
    /// all results are there with their lengths.
    func isCurrent(for plan: UnitPlan, in root: URL) -> Bool {
        guard !isPassing, self.plan.serves(plan) else { return false }
        let folder = root.path
        return outputs.allSatisfy { FileStamp($0.path, below: folder)?.bytes == $0.bytes }
    }

    /// What the results follow from that the plan asks for otherwise; nil where it is neither parameters nor version.
    func origin(besides plan: UnitPlan) -> String? {
        guard !isPassing else { return nil }
        if self.plan.parametersSHA256 != plan.parametersSHA256 { return "other parameters" }
        return self.plan.version != plan.version ? "version \(self.plan.version)" : nil
    }

    /// Whether all results are there with their contents.
    func isIntact(in root: URL) -> Bool {
        !isPassing
            && outputs.allSatisfy {
                (try? InputHash(of: root.appendingPathComponent($0.path, isDirectory: false)))?.sha256 == $0.sha256
            }
    }
}
