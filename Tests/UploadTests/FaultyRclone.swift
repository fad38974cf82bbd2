import Foundation
import Upload

/// The real rclone behind a script, which makes its copies go wrong as they do on the way to a storage.
struct FaultyRclone {
    /// What becomes of a copy.
    enum Fault: String {
        case none
        /// As many bytes arrive, but others, and nobody notices.
        case damaged
        /// Nothing is sent.
        case refused
        /// Half of it arrives, and the failure is told.
        case cut
        /// It arrives whole, and a failure is told.
        case unanswered
        /// What was there is removed, as rclone does after a copy that failed, and the failure is told.
        case removed
    }

    let rclone: Rclone
    private let folder: URL

    init(in folder: URL) throws {
        self.folder = folder
        let program = folder.appendingPathComponent("rclone")
        rclone = Rclone(program: program)
        try Data(Self.script(folder.path).utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try fail(by: .none)
    }

    /// What becomes of the copies from now on.
    func fail(by fault: Fault) throws {
        try Data(fault.rawValue.utf8).write(to: folder.appendingPathComponent("fault"))
    }

    /// How many copies were asked for.
    var copies: Int {
        let note = try? String(contentsOf: folder.appendingPathComponent("copies"), encoding: .utf8)
        return note?.split(separator: "\n").count ?? 0
    }

    private static func script(_ folder: String) -> String {
        """
        #!/bin/sh
        [ "$1" = copyto ] || exec /usr/bin/rclone "$@"
        file=$2 place=$3
        echo copy >> '\(folder)/copies'
        case "$(cat '\(folder)/fault')" in
        damaged)
            LC_ALL=C tr '\\000-\\377' '\\001-\\377\\000' < "$file" > '\(folder)/sent'
            exec /usr/bin/rclone copyto '\(folder)/sent' "$place" --ignore-times ;;
        refused) ;;
        cut)
            head -c $(($(wc -c < "$file") / 2)) "$file" > '\(folder)/sent'
            /usr/bin/rclone copyto '\(folder)/sent' "$place" --ignore-times ;;
        unanswered) /usr/bin/rclone "$@" ;;
        removed) /usr/bin/rclone deletefile "$place" ;;
        *) exec /usr/bin/rclone "$@" ;;
        esac
        echo 'Failed to copyto: no answer' >&2
        exit 1
        """
    }
}
