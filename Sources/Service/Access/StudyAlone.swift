import Acquisition
import Foundation
import Study

extension Caller {
    /// Refuses devices that take files of this machine from elsewhere than the study: only whoever started the service may
    /// see those.
    /// - Throws: `Problem` 403.
    func demandFiles(of devices: [String], within study: StudyFolder) throws(Problem) {
        guard key != nil else { return }
        let root = Self.path(study.root)
        // What is no address is refused where it is read.
        for device in devices.compactMap({ try? DeviceAddress($0) }) {
            guard let file = device.files.first(where: { !Self.path(URL(fileURLWithPath: $0)).hasPrefix(root + "/") })
            else { continue }
            throw Problem(
                403, "file",
                "\(device.name): this key takes files from the study alone, as \(file) is none; whoever started the service "
                    + "may name others")
        }
    }

    private static func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}
