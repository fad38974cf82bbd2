import Foundation
import FoundationNetworking
import Service
import Synchronization

/// Calls the API of a running service.
struct ServiceClient: Sendable {
    /// What the service says when it will not.
    struct Refusal: Error, CustomStringConvertible {
        /// The stable word of the problem.
        var reason: String
        /// What to do.
        var description: String
    }

    /// What is wrong with a link that makes no client.
    static let whatALinkIs =
        "the link is the one that marey serve prints, such as http://127.0.0.1:8311/#code_…, or its address with a key marey_… "
        + "in MAREY_KEY or --key-file FILE"

    /// The link without its key, which is for nobody's eyes.
    var address: String { base.absoluteString }

    private let base: URL
    /// The key, or the code of a link that is exchanged for one when it is needed first.
    private let secret: Secret
    /// Made when it is needed first: it loads libcurl.
    private static let session = URLSession(
        configuration: .ephemeral, delegate: RedirectRefusal(), delegateQueue: nil)

    /// A client with the address of a link such as `http://127.0.0.1:8311/#code_…`; nil where it is none, or has no key.
    /// - Parameter key: nil: the link's own, else that of the environment.
    init?(link: String, key: String? = nil) {
        let parts = link.split(separator: "#", maxSplits: 1).map(String.init)
        let own = parts.count == 2 ? parts[1] : nil
        guard let key = key ?? own ?? ProcessInfo.processInfo.environment["MAREY_KEY"],
            key.hasPrefix("marey_") || key.hasPrefix("code_"),
            let base = parts.first.flatMap({ URL(string: $0) }), ["http", "https"].contains(base.scheme),
            base.host != nil
        else { return nil }
        if let own, own.hasPrefix("marey_") {
            DeviceSecretOptions.hide(own)
            Terminal.note(
                "warning: a key in the link can be read in the list of processes: put it in MAREY_KEY or --key-file FILE"
            )
        }
        (self.base, secret) = (base, Secret(key))
    }

    /// The key of a link's code.
    private func key() async throws -> String {
        guard secret.text.hasPrefix("code_") else { return secret.text }
        let code = secret.text
        let answer = try await send("POST", "/open/" + code, nil, key: nil)
        guard let key = answer["key"]?.text else {
            throw Failure.nothingDone("the service at \(address) gave no key for the code of the link")
        }
        secret.text = key
        return key
    }

    /// Asks for something.
    /// - Returns: the answer; null without one.
    /// - Throws: `Refusal`, `CancellationError`, or what keeps the service from being reached.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await send(method, path, body, key: try await key())
    }

    private func send(_ method: String, _ path: String, _ body: JSONValue?, key: String?) async throws -> JSONValue {
        guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = method
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = body.data
        }
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await Self.session.data(for: request) } catch {
            // Whoever stopped it knows why.
            try Task.checkCancellation()
            throw Failure.nothingDone(
                "the service at \(address) cannot be reached: is marey serve running?")
        }
        let answer = (try? JSONValue(data)) ?? .null
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard !(300..<400).contains(status) else {
            throw Failure.nothingDone(
                "the service at \(address) sends the request on to another address, which does not get the key: give the link "
                    + "with the address of the service itself")
        }
        guard (200..<300).contains(status) else {
            throw Refusal(
                reason: answer["reason"]?.text ?? "",
                description: answer["detail"]?.text ?? "the service says \(status)")
        }
        return answer
    }
}

/// The secret of a client; used by one task at a time.
private final class Secret: @unchecked Sendable {
    private let value: Mutex<String>

    init(_ text: String) { value = Mutex(text) }

    var text: String {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
    }
}

/// Leaves redirects alone: the header with the key would go with them, to whatever host they name.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
