public import Foundation

/// Prints pages to PDF with the Chromium of this machine. It gets a profile of its own that is thrown away, and no
/// network.
public struct PagePrinter: Sendable {
    private let browser: URL

    /// A printer that uses `browser`; nil: the one that the environment variable `MAREY_CHROMIUM` names, else the first
    /// of `chromium`, `chromium-browser`, `google-chrome` in the search path.
    /// - Throws: `PrintError.noBrowser`.
    public init(
        browser: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(PrintError) {
        guard let found = browser ?? Self.find(environment) else { throw .noBrowser }
        self.browser = found
    }

    /// Prints `page`, a file, to `pdf`, which is written under another name and renamed.
    /// - Parameter timeout: how long the browser may take, in seconds.
    /// - Throws: `PrintError`; what `pdf` held before is then still there.
    public func print(_ page: URL, to pdf: URL, timeout: Double = 180) throws(PrintError) {
        let files = FileManager.default
        guard files.isReadableFile(atPath: page.path) else { throw .file(page.relativePath, problem: "cannot be read") }
        let folder = files.temporaryDirectory.appendingPathComponent("marey-print-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch { throw .file(folder.path, problem: "cannot be made: \(error.localizedDescription)") }
        defer { try? files.removeItem(at: folder) }
        let printed = folder.appendingPathComponent("page.pdf")
        let remark = try run(try copy(page, into: folder), into: printed, profile: folder, timeout)
        guard let data = files.contents(atPath: printed.path), data.starts(with: Data("%PDF-".utf8)) else {
            throw .failed(page: page.relativePath, remark: remark)
        }
        do { try data.write(to: pdf, options: .atomic) } catch {
            throw .file(pdf.relativePath, problem: "cannot be written: \(error.localizedDescription)")
        }
    }

    /// A copy of the page whose links to files beside it are none: on paper they lead nowhere, and a PDF would hold the
    /// whole paths of this machine.
    private func copy(_ page: URL, into folder: URL) throws(PrintError) -> URL {
        let copy = folder.appendingPathComponent("page.html")
        do {
            let html = try String(contentsOf: page, encoding: .utf8)
            try Data(Self.withoutPlaces(html).utf8).write(to: copy)
        } catch { throw .file(page.relativePath, problem: "cannot be copied: \(error.localizedDescription)") }
        return copy
    }

    /// A page without links to places relative to it; those within it, and to the web, stay.
    static func withoutPlaces(_ html: String) -> String {
        html.replacing(#/(<a\b[^>]*?) href="(?!#|[a-z]+:)[^"]*"/#) { String($0.output.1) }
    }

    /// Runs the browser to its end.
    /// - Returns: the last line of what it had to say.
    private func run(
        _ page: URL, into printed: URL, profile: URL, _ timeout: Double
    ) throws(PrintError) -> String {
        let messages = profile.appendingPathComponent("messages")
        guard FileManager.default.createFile(atPath: messages.path, contents: nil),
            let log = try? FileHandle(forWritingTo: messages)
        else { throw .file(messages.path, problem: "cannot be written") }
        defer { try? log.close() }
        let process = Process()
        process.executableURL = browser
        process.arguments = arguments(page, printed, profile)
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (log, log)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { throw .noBrowser }
        guard ended.wait(timeout: .now() + timeout) == .success else {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            throw .slow(page: page.relativePath, seconds: timeout)
        }
        let text = FileManager.default.contents(atPath: messages.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").last.map(String.init) ?? "it said nothing"
    }

    private func arguments(_ page: URL, _ printed: URL, _ profile: URL) -> [String] {
        var words = [
            "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND",
            "--user-data-dir=\(profile.path)/profile", "--no-pdf-header-footer", "--print-to-pdf=\(printed.path)",
        ]
        // Chromium's sandbox refuses to run for root.
        if geteuid() == 0 { words.append("--no-sandbox") }
        return words + [page.absoluteURL.absoluteString]
    }

    private static func find(_ environment: [String: String]) -> URL? {
        if let named = environment["MAREY_CHROMIUM"], !named.isEmpty { return URL(fileURLWithPath: named) }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
        for name in ["chromium", "chromium-browser", "google-chrome"] {
            for folder in folders {
                let path = folder + "/" + name
                if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
            }
        }
        return nil
    }
}
