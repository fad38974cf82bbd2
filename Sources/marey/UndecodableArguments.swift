/// Words of a command line that are not UTF-8, as names of files from an old system are: they cannot be told apart once they
/// are text, and one file would be taken for another.
enum UndecodableArguments {
    /// - Throws: `Failure.misuse`, naming the place of a word that is not UTF-8.
    static func refuse() throws(Failure) {
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[place] else { continue }
            var length = 0
            while word[length] != 0 { length += 1 }
            let bytes = UnsafeRawBufferPointer(start: word, count: length)
            guard String(validating: bytes, as: UTF8.self) == nil else { continue }
            throw Failure.misuse(
                "argument \(place) (\(String(decoding: bytes, as: UTF8.self))) is not UTF-8; rename the file, as convmv does, "
                    + "or give a link to it that has another name")
        }
    }
}
