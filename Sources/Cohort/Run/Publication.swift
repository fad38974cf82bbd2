import Foundation
import Pipeline

/// Moves the results of a recording to their place. While that goes on there is no marker, so nobody takes a mixture
/// of old and new for results; results of an earlier run that are no longer made are taken away.
struct Publication {
    let folder: BatchFolder
    let plan: UnitPlan
    let key: String

    init(_ folder: BatchFolder, _ plan: UnitPlan, key: String) {
        self.folder = folder
        self.plan = plan
        self.key = key
    }

    func publish(_ partial: URL) throws {
        let (from, to) = (partial.path + "/", folder.root.path + "/")
        let names = try FileManager.default.contentsOfDirectory(atPath: partial.path).sorted()
        let outputs = try names.map { name in
            let hash = try InputHash(of: URL(fileURLWithPath: from + name, isDirectory: false))
            return DoneMarker.Output(path: plan.unit.folder + "/" + name, bytes: hash.bytes, sha256: hash.sha256)
        }
        let marker = folder.doneFile(plan.unit.stem)
        let before = folder.marker(plan.unit.stem)?.outputs ?? []
        unlink(marker.path)
        try FileManager.default.createDirectory(
            at: folder.root.appendingPathComponent(plan.unit.folder), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (name, output) in zip(names, outputs) {
            guard rename(from + name, to + output.path) == 0 else {
                throw CohortError(
                    folder.root.appendingPathComponent(output.path, isDirectory: false),
                    "cannot be put in its place: \(String(cString: strerror(errno)))")
            }
        }
        let kept = Set(outputs.map(\.path))
        for old in before where !kept.contains(old.path) { unlink(folder.root.appendingPathComponent(old.path).path) }
        try StateFile.write(DoneMarker(plan: plan, key: key, outputs: outputs), to: marker)
    }
}
