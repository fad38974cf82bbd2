/// Words of a command line that hold nothing, as where a script's variable is not set: taken for the name of a file they
/// would mean the folder the program runs in.
enum EmptyArguments {
    /// Options of which nothing is a value: none of what they list.
    private static let lists = ["--predictions"]

    /// - Parameter arguments: the command line without the program's name.
    /// - Throws: `Failure.misuse`, naming the place of a word that is empty, and of an option whose value is.
    static func refuse(in arguments: [String]) throws(Failure) {
        var before = ""
        for (place, word) in arguments.enumerated() {
            if word.isEmpty, !lists.contains(before) {
                throw Failure.misuse(
                    "argument \(place + 1)\(before.isEmpty ? "" : " (after \(before))") is empty, where a name is "
                        + "expected, as of a file; is a variable not set?")
            }
            if word.hasPrefix("--"), word.firstIndex(of: "=") == word.index(before: word.endIndex),
                !lists.contains(String(word.dropLast()))
            {
                throw Failure.misuse("\(word) has no value behind it; is a variable not set?")
            }
            before = word
        }
    }
}
