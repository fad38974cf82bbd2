/// What went wrong, in words that may stand in a log: paths, files' names and participants are left out.
enum Discretion {
    static func text(_ error: any Error) -> String { text("\(error)") }

    static func text(_ words: String) -> String {
        words.replacing(#/[^\s"“=]*\/[^\s"”:;,}]*/#, with: "…").replacing(#/sub-[A-Za-z0-9]+[^\s"”:;,}]*/#, with: "…")
    }
}
