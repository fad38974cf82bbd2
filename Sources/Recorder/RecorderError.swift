import Foundation
import Signals

/// Why a recording cannot begin or go on, for the user.
public enum RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The disk can't hold the planned session; with what its size rests on.
    case diskTooSmall(folder: String, needed: Int, free: Int, basis: String)
    /// The file exists already: recordings are never overwritten.
    case exists(String)
    /// The system refused, in its words.
    case refused(file: String, reason: String)
    /// The disk is full.
    case diskFull(file: String)
    /// The file was deleted while it grew.
    case deleted(file: String)

    /// One sentence for the user.
    public var description: String {
        switch self {
        case .diskTooSmall(let folder, let needed, let free, let basis):
            "\(folder): the session needs about \(Self.size(needed))\(basis.isEmpty ? "" : " (\(basis))"), but only \(Self.size(free)) are free; "
                + "make room or choose another folder"
        case .exists(let file): "\(file): exists already; a recording is never overwritten, name another file"
        case .refused(let file, let reason): "\(file): \(reason)"
        case .diskFull(let file):
            "\(file): the disk is full; what was written is safe, recording goes on when there is room"
        case .deleted(let file):
            "\(file): was deleted while it is recorded; the session goes on, and the file is written anew at its end"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1_000_000_000
            ? "\(Double(bytes / 10_000_000) / 100) GB" : "\(Double(bytes / 10_000) / 100) MB"
    }
}
