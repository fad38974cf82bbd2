import Foundation

/// Why the system refused something: its own words, where Foundation's name neither the file nor the reason.
public enum SystemReason {
    /// What the system says of an error that Foundation threw, such as “No space left on device”.
    public static func text(_ error: any Error) -> String {
        let underlying = (error as? CocoaError)?.underlying ?? error
        let known = underlying as NSError
        if known.domain == NSPOSIXErrorDomain { return text(CInt(known.code)) }
        guard let code = (error as? CocoaError)?.code else { return error.localizedDescription }
        switch code {
        case .fileWriteOutOfSpace: return text(ENOSPC)
        case .fileWriteVolumeReadOnly: return text(EROFS)
        case .fileWriteNoPermission, .fileReadNoPermission: return text(EACCES)
        case .fileWriteFileExists: return text(EEXIST)
        case .fileWriteInvalidFileName, .fileReadInvalidFileName: return text(ENAMETOOLONG)
        case .fileNoSuchFile, .fileReadNoSuchFile: return text(ENOENT)
        default: return error.localizedDescription
        }
    }

    private static func text(_ number: CInt) -> String { String(cString: strerror(number)) }
}
