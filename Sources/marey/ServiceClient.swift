import Foundation
import FoundationNetworking
import Service

/// Calls the API of a running service.
struct ServiceClient: Sendable {
    /// What the service says when it will not.
    struct Refusal: Error, CustomStringConvertible {
        /// The stable word of the problem.
        var reason: String
        /// What to do.
        var description: String
    }

    private let base: URL
    private let key: String

    /// A client with the address and the key of a link such as `http://127.0.0.1:8311/#marey_…`; nil where it is none.
    init?(link: String) {
        let parts = link.split(separator: "#", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("marey_"), let base = URL(string: String(parts[0])),
            ["http", "https"].contains(base.scheme), base.host != nil
        else { return nil }
        (self.base, key) = (base, String(parts[1]))
    }

    /// Asks for something.
    /// - Returns: the answer; null without one.
    /// - Throws: `Refusal`, `CancellationError`, or what keeps the service from being reached.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = body.data
        }
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await URLSession.shared.data(for: request) } catch {
            // Whoever stopped it knows why.
            try Task.checkCancellation()
            throw Failure.nothingDone(
                "the service at \(base.absoluteString) cannot be reached: is marey serve running?")
        }
        let answer = (try? JSONValue(data)) ?? .null
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else {
            throw Refusal(
                reason: answer["reason"]?.text ?? "",
                description: answer["detail"]?.text ?? "the service says \(status)")
        }
        return answer
    }
}
