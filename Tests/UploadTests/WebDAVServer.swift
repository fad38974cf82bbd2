import Foundation

/// rclone serving a folder over WebDAV on loopback, reached through a relay that breaks connections on request.
final class WebDAVServer {
    let folder: URL
    /// rclone's name for the served folder.
    let remote: String
    private let server: ServerProcess
    private let relay: CuttingRelay

    static let isPossible = ["/usr/bin/rclone", "/usr/bin/python3"].allSatisfy(
        FileManager.default.isExecutableFile(atPath:))

    /// Serves `folder`; of the connections made, the first `cuts` are broken after so many bytes.
    init(_ folder: URL, cuts: Int = 0, afterBytes limit: Int = 0) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try ServerProcess(
            "/usr/bin/rclone", ["serve", "webdav", folder.path, "--addr", "127.0.0.1:0", "--dir-cache-time", "0s"],
            portAfter: "http://127.0.0.1:"
        )
        relay = try CuttingRelay(to: server.port, cuts: cuts, afterBytes: limit)
        remote = ":webdav,url='http://127.0.0.1:\(relay.port)':"
    }
}
