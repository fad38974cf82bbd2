/// Words of a command as a shell takes them: in scripts, and in commands that a message tells people to give.
public enum ShellWord {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,".unicodeScalars)

    /// The word as it is where a shell leaves it alone, else within single quotes (POSIX.1-2017, 2.2.2 Single-Quotes).
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy { plain.contains($0) }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
