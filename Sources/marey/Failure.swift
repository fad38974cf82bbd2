/// The exit codes that the command line promises.
enum ExitStatus {
    /// Some inputs failed; each was named.
    static let someFailed: Int32 = 1
    /// The command line itself is wrong.
    static let misuse: Int32 = 2
    /// Nothing could be done.
    static let nothingDone: Int32 = 3
    // A library that cannot be loaded ends the program with another: MAREY_LIBRARY_EXIT, of CLate.
}

/// Ends the program with a message for the user and an exit code.
struct Failure: Error {
    var code: Int32
    var message: String

    /// The command line is wrong.
    static func misuse(_ message: String) -> Failure { Failure(code: ExitStatus.misuse, message: message) }
    /// No input could be used.
    static func nothingDone(_ message: String) -> Failure { Failure(code: ExitStatus.nothingDone, message: message) }
    /// `failed` of `all` inputs could not be used; nil when all could.
    static func inputs(failed: Int, of all: Int) -> Failure? {
        guard failed > 0 else { return nil }
        let code = failed == all ? ExitStatus.nothingDone : ExitStatus.someFailed
        return Failure(code: code, message: "\(failed) of \(all) inputs failed")
    }
}
