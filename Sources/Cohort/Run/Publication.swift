import Formats
import Foundation
import Pipeline

/// Moves the results of a recording to their place. While that goes on there is no marker, so nobody takes a mixture
/// of old and new for results; results of an earlier run that are no longer made are taken away.
struct Publication {
    let folder: BatchFolder
    let plan: UnitPlan
    let key: String
    /// SHA-256 of each of the files that were read.
    let inputs: [String]
    let earlier: DoneMarker?

    /// - Parameter earlier: what was done before; nil where nothing was.
    init(_ folder: BatchFolder, _ plan: UnitPlan, key: String, inputs: [String], earlier: DoneMarker?) {
        self.folder = folder
        self.plan = plan
        self.key = key
        self.inputs = inputs
        self.earlier = earlier
    }

    /// Makes the empty folder that results are written into.
    static func begin(_ partial: URL) throws {
        let path = partial.path
        if mkdir(path, 0o700) == 0 { return }
        // What a process of the same number left behind.
        try? FileManager.default.removeItem(at: partial)
        guard mkdir(path, 0o700) == 0 else {
            throw CohortError(partial, "cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    /// Moves all files of `partial` to their place and marks the recording as done.
    /// - Parameter scratch: what was written into it.
    /// - Returns: what marks it so.
    func publish(_ partial: URL, _ scratch: ScratchFolder) throws -> DoneMarker {
        let outputs = try outputs(in: partial, scratch)
        let place = folder.doneFile(plan.unit.stem)
        let kept = Set(outputs.map(\.path))
        if let earlier {
            // Of no key, so nobody takes it for done; but whoever goes on after a kill knows what lies there.
            let old = earlier.outputs.filter { !kept.contains($0.path) }
            let passing = DoneMarker(plan: earlier.plan, key: "", outputs: outputs + old)
            try StateFile.write(passing, to: place, isSynced: false)
        } else {
            unlink(place.path)
        }
        try move(outputs, from: partial)
        for old in earlier?.outputs ?? [] where !kept.contains(old.path) {
            unlink(folder.root.appendingPathComponent(old.path, isDirectory: false).path)
        }
        // Results are not on the disk for sure either: after a power cut their lengths and hashes tell.
        let marker = DoneMarker(plan: plan, key: key, outputs: outputs, inputs: inputs)
        try StateFile.write(marker, to: place, isSynced: false)
        return marker
    }

    private func outputs(in partial: URL, _ scratch: ScratchFolder) throws -> [DoneMarker.Output] {
        let names = try FileManager.default.contentsOfDirectory(atPath: partial.path).sorted()
        return try names.map { name in
            let path = plan.unit.folder + "/" + name
            if let written = scratch.content(name) {
                return DoneMarker.Output(path: path, bytes: written.bytes, sha256: written.hash)
            }
            let hash = try InputHash(of: partial.appendingPathComponent(name, isDirectory: false))
            return DoneMarker.Output(path: path, bytes: hash.bytes, sha256: hash.sha256)
        }
    }

    private func move(_ outputs: [DoneMarker.Output], from partial: URL) throws {
        let (from, root) = (partial.path, folder.root.path + "/")
        let place = root + plan.unit.folder
        // As a whole, where nothing is there yet.
        if rename(from, place) == 0 { return }
        if plan.unit.folder.contains("/") { try Self.makeFolder((place as NSString).deletingLastPathComponent) }
        if rename(from, place) == 0 { return }
        try Self.makeFolder(place)
        for output in outputs {
            let name = output.path.dropFirst(plan.unit.folder.count)
            guard rename(from + name, root + output.path) == 0 else {
                throw CohortError(
                    folder.root.appendingPathComponent(output.path, isDirectory: false),
                    "cannot be put in its place: \(String(cString: strerror(errno)))")
            }
        }
    }

    private static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
