import Foundation
import Service

/// A program that tests a service over the network.
struct ServedTester {
    let test: TestService

    init(_ test: TestService) {
        self.test = test
    }

    /// Runs `schemathesis run` against the served service.
    func run(_ program: URL, _ options: [String]) async throws -> (status: Int32, output: String) {
        let server = try ServiceServer(test.service, host: "127.0.0.1", port: 0)
        let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
        let running = Task { try await server.run { found.yield($0) } }
        defer { running.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw CancellationError() }
        let arguments =
            ["run", "http://127.0.0.1:\(port)/openapi.json", "-H", "Authorization: Bearer \(test.service.token.text)"]
            + options
        return try await Self.output(of: program, arguments)
    }

    private static func output(
        of program: URL, _ arguments: [String]
    ) async throws -> (status: Int32, output: String) {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("tester-\(UUID().uuidString)")
        FileManager.default.createFile(atPath: place.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: place) }
        let process = Process()
        (process.executableURL, process.arguments) = (program, arguments)
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        let handle = try FileHandle(forWritingTo: place)
        (process.standardOutput, process.standardError) = (handle, handle)
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
                continuation.resume(returning: (process.terminationStatus, text))
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
