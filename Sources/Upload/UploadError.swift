/// Why a file could not be copied off this machine.
public enum UploadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rclone program is missing.
    case noRclone
    /// rclone or the storage failed, in its own words; worth another attempt.
    case failed(String)
    /// What arrived is not what was sent; worth another attempt.
    case differs(String)
    /// The file is gone or no longer what the study noted; another attempt would not help.
    case changed(String)
    /// The place holds another file of this name than this study sent; it is left as it is.
    case taken(String)
    /// The place holds a secret, in the parameter of this name or as told, which the study would keep.
    case secret(String)
    /// The place is an empty text.
    case nowhere
    /// The place lies within the study itself, where nothing is a copy and raw data would be added to.
    case within(String)
    /// Somebody stopped it; the file waits as before.
    case stopped

    /// One sentence for the user.
    public var description: String {
        switch self {
        case .noRclone: "rclone is missing: install it (apt-get install rclone) or name it in MAREY_RCLONE"
        case .stopped: "stopped: what has not arrived waits in the outbox"
        case .secret(let name):
            "the place holds a secret (\(name)), which would stay in the study's bookkeeping: keep it in rclone's own "
                + "configuration (rclone config) and name that remote, as in --to lab:backups"
        case .nowhere: "the place is empty: name one, such as REMOTE:PATH or a folder elsewhere"
        case .within(let place):
            "\(place) is within the study, so nothing there would be a copy: name a place outside of it"
        case .failed(let words), .differs(let words), .changed(let words), .taken(let words): words
        }
    }

    /// Whether trying again later may help.
    public var isPassing: Bool {
        switch self {
        case .changed, .taken, .secret, .nowhere, .within: false
        case .noRclone, .failed, .differs, .stopped: true
        }
    }
}
