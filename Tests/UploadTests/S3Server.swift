import Foundation
import TestSupport

/// moto, which stands in for Amazon's S3 on loopback, reached through a relay that breaks connections on request.
final class S3Server {
    /// rclone's name for what is served, without a bucket.
    let remote: String
    private let server: ServerProcess
    private let relay: CuttingRelay

    /// In the environment of the reference scripts.
    private static let program =
        ProcessInfo.processInfo.environment["VIRTUAL_ENV"].map { $0 + "/bin/moto_server" } ?? ""

    static let isPossible =
        WebDAVServer.isPossible && FileManager.default.isExecutableFile(atPath: program)

    /// Serves nothing yet; of the connections made, the first `cuts` are broken after so many bytes.
    init(cuts: Int = 0, afterBytes limit: Int = 0) throws {
        // With it rclone's own S3 refuses to begin; nothing here is encrypted.
        unsetenv("AWS_CA_BUNDLE")
        server = try ServerProcess(Self.program, ["-H", "127.0.0.1", "-p", "0"], portAfter: "http://127.0.0.1:")
        relay = try CuttingRelay(to: server.port, cuts: cuts, afterBytes: limit)
        remote =
            ":s3,provider=Other,access_key_id=k,secret_access_key=s,force_path_style=true,"
            + "endpoint='http://127.0.0.1:\(relay.port)':"
    }
}
