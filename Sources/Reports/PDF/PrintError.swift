/// Why a page was not printed.
public enum PrintError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No Chromium was found.
    case noBrowser
    /// The page cannot be read, or the PDF not written.
    case file(String, problem: String)
    /// The browser ended without a PDF.
    case failed(page: String, remark: String)
    /// The browser took longer than it was given.
    case slow(page: String, seconds: Double)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noBrowser:
            "no Chromium found to print with; install it (apt install chromium) or name one in MAREY_CHROMIUM"
        case .file(let path, let problem): "\(path): \(problem)"
        case .failed(let page, let remark): "\(page): Chromium did not print it: \(remark)"
        case .slow(let page, let seconds): "\(page): Chromium did not finish within \(NumberText.fixed(seconds, 0)) s"
        }
    }
}
