import ArgumentParser
import Decoding
import Foundation
import Service
import Signals
import Study

struct StudyKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make, list and take back keys to a study's service.",
        discussion: """
            Example: marey study keys create my-study --name tablet --rights read,record
                     marey study keys list my-study
                     marey study keys revoke my-study tablet
            """,
        subcommands: [KeysCreate.self, KeysList.self, KeysRevoke.self])
}

struct KeysCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key and print it, once.",
        discussion: "Only its SHA-256 is kept. Rights: read (see everything), record (run sessions), relay (ECG relay)."
    )

    @Argument(help: "The study folder.")
    var folder: String

    @Option(help: "What to call it.")
    var name: String

    @Option(help: "What its holder may do, separated by commas: read, record, relay.")
    var rights = "read"

    @Option(help: "The predictions its holder may start and see, separated by commas (default: all).")
    var predictions: String?

    @Option(
        help: "When it ends: days from now, such as 30d, or the last day, such as 2027-01-31 (UTC) (default: never).")
    var expires: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let end = try expires.map { try Self.end($0, from: .now) }
        let named = OptionList.all(in: self.rights)
        guard !named.isEmpty else {
            let known = AccessRight.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.misuse("--rights names none; there are: \(known)")
        }
        let rights = try named.map { word in
            guard let right = AccessRight(rawValue: word) else {
                let known = AccessRight.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.misuse("“\(word)” is no right; there are: \(known)")
            }
            return right
        }
        let isName = !name.isEmpty && name.count <= 100 && name.unicodeScalars.allSatisfy { $0.value >= 0x20 }
        guard isName else { throw Failure.misuse("--name must have 1 to 100 characters") }
        guard !AccessKey.reservedNames.contains(name) else {
            throw Failure.misuse("“\(name)” is what the service calls itself or who starts it; take another name")
        }
        let predictions = try self.predictions.map(Self.known)
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let token = AccessToken()
        let bookkeeping = try Bookkeeping(study)
        let added = try bookkeeping.addKey(
            name, hash: token.hash, rights: Set(rights), predictions: predictions, until: end, at: .now)
        guard added != nil else { throw Failure.misuse("there is a key “\(name)” already, or was; take another name") }
        do {
            let shown = ["name": name, "key": token.text]
            try StandardOutput.write(json ? OutputOptions.json(shown) : Array("\(token.text)\n".utf8))
        } catch {
            throw unseen(token, in: bookkeeping, because: error)
        }
        if json { return }
        Terminal.note("this is the only time it is shown; send it as: Authorization: Bearer KEY")
    }

    /// The end of a key.
    /// - Throws: `Failure` where it is neither days nor a date, or not to come.
    static func end(_ text: String, from now: Timestamp) throws -> Timestamp {
        let day = 86_400.0
        let end: Timestamp?
        if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...36_500).contains(days) {
            end = now + Double(days) * day
        } else {
            let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
            end = (try? style.parse(text)).map { Timestamp(secondsSince1970: $0.timeIntervalSince1970 + day) }
        }
        guard let end, end.secondsSince1970 > now.secondsSince1970 else {
            throw Failure.misuse(
                "--expires \(text): give days from now, such as 30d, or a day to come, such as 2027-01-31")
        }
        return end
    }

    /// Takes a key back that could not be shown: it would be valid, and nobody would have it.
    private func unseen(_ token: AccessToken, in bookkeeping: Bookkeeping, because error: any Error) -> Failure {
        let reason = (error as? Failure)?.message ?? "\(error)"
        do { try bookkeeping.forgetKey(hash: token.hash) } catch {
            return Failure(
                code: ExitStatus.someFailed,
                message: "\(reason). There is a key “\(name)” that nobody has seen, and it could not be taken back: "
                    + "\(error); do so with: marey study keys revoke \(ShellWord.quoted(folder)) "
                    + ShellWord.quoted(name))
        }
        return Failure.nothingDone(
            "\(reason). The key “\(name)” was taken back, as nobody has seen it; make it again")
    }

    /// Predictions that there are, by their names.
    private static func known(_ text: String) throws -> Set<String> {
        let names = try OptionList.some(in: text, of: "--predictions")
        do { return Set(try Prediction.named(names).map(\.name)) } catch {
            throw Failure.misuse("--predictions: \(error)")
        }
    }
}

struct KeysList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "List the keys with their last use and their end, those taken back included; never the keys themselves.")

    @Argument(help: "The study folder.")
    var folder: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let keys = try Bookkeeping(StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))).keys()
        if json { return try OutputOptions.emitJSON(keys.map(ListedKey.init)) }
        StandardOutput.print("name\trights\tpredictions\tstate\tcreated\tlastUsed\texpires")
        for key in keys {
            let rights = key.rights.map(\.rawValue).sorted().joined(separator: ",")
            let predictions = key.predictions.map { $0.sorted().joined(separator: ",") } ?? "all"
            let times = [key.createdAt, key.lastUsedAt, key.expiresAt].map { seconds in
                seconds.map { Timestamp(secondsSince1970: $0.rounded(.down)).description } ?? "n/a"
            }
            let columns = [key.name, rights, predictions, ListedKey(key).state] + times
            StandardOutput.print(columns.joined(separator: "\t"))
        }
    }
}

/// A key as it is listed.
private struct ListedKey: Encodable {
    let key: AccessKey
    /// Whether the service takes it.
    let state: String

    init(_ key: AccessKey) {
        self.key = key
        state = key.revokedAt != nil ? "taken back" : key.isValid(at: .now) ? "valid" : "expired"
    }

    private enum CodingKeys: CodingKey { case state }

    func encode(to encoder: any Encoder) throws {
        try key.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(state, forKey: .state)
    }
}

struct KeysRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a key back; a running service refuses it from then on.")

    @Argument(help: "The study folder.")
    var folder: String

    @Argument(help: "The key's name.")
    var name: String

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        guard try Bookkeeping(study).revokeKey(name, at: .now) else {
            throw Failure.nothingDone(
                "there is no valid key “\(name)”; see marey study keys list \(ShellWord.quoted(folder))")
        }
        StandardOutput.tell("took back \(name)")
    }
}
