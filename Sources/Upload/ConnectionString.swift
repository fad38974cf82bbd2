/// A storage as rclone writes it with its parameters: `remote,name=value,name='value':path` (rclone.org/docs, "Connection
/// strings").
struct ConnectionString {
    /// The values of its parameters as they are meant, without their quotation marks.
    let values: [String]
    /// The storage and the path on it, without parameters.
    let bare: String

    /// - Returns: nil for a path of this machine.
    init?(_ text: String) {
        // A value within quotation marks may hold colons and commas; a mark of its own is doubled.
        let parameter = /,\s*[A-Za-z0-9_.]*\s*(=(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^,:]*))?/
        guard let remote = text.prefixMatch(of: /:?(?:[^:,\/]*)/) else { return nil }
        var rest = text[remote.range.upperBound...]
        var values: [String] = []
        while let next = rest.prefixMatch(of: parameter) {
            if let value = next.output.1 { values.append(Self.meant(String(value.dropFirst()))) }
            rest = rest[next.range.upperBound...]
        }
        guard rest.first == ":" else { return nil }
        self.values = values
        bare = String(text[remote.range]) + rest
    }

    private static func meant(_ written: String) -> String {
        for mark in ["'", "\""] where written.count > 1 && written.hasPrefix(mark) && written.hasSuffix(mark) {
            return String(written.dropFirst().dropLast()).replacing(mark + mark, with: mark)
        }
        return written
    }

    /// What a place holds that is secret: the name of the first such parameter, or what else it is; nil when nothing is.
    static func secret(in text: String) -> String? { secretInURL(of: text) ?? secretParameter(of: text) }

    /// Also of a storage that another one's parameter names.
    private static func secretParameter(of text: String) -> String? {
        let names = text.matches(of: /,\s*([a-z0-9_.]+)\s*=/.ignoresCase()).map { $0.output.1.lowercased() }
        // Headers are mostly there to carry cookies and authorizations.
        let words = ["pass", "secret", "token", "credential", "cookie", "header", "grant", "mnemonic", "sas_url"]
        // A command may hold anything: `ssh` is one with its arguments.
        let whole = ["ssh", "authorization", "key_pem", "sse_customer_key_base64", "connection_string", "2fa"]
        return names.first { name in
            words.contains { name.contains($0) } || name.hasSuffix("key") || whole.contains(name)
        }
    }

    private static func secretInURL(of text: String) -> String? {
        // As in https://user:password@host (RFC 3986, 3.2.1); within a connection string a URL ends with its quotation
        // mark, one of its own is doubled.
        let quoted = /\/\/(?:[^\/@'"]|''|"")*:(?:[^\/@'"]|''|"")*@/
        let bare = /^[a-z0-9+.\-]+:\/\/[^\/@]*:[^\/@]*@/.ignoresCase()
        if text.contains(quoted) || text.contains(bare) { return "a password in a URL" }
        let within = text.matches(of: /[a-z][a-z0-9+.\-]*:\/\/(?:[^'"]|''|"")*/.ignoresCase()).map { String($0.output) }
        // A whole value may hold the other quotation mark.
        let values = ConnectionString(text)?.values ?? []
        for url in within + values {
            guard let scheme = url.prefixMatch(of: /[a-z][a-z0-9+.\-]*:\/\//.ignoresCase()) else { continue }
            let rest = url[scheme.range.upperBound...]
            let authority = rest.prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                return authority[..<at].contains(":") ? "a password in a URL" : "a user or token in a URL"
            }
            // As of a link that was signed, or shared.
            if rest.contains(where: { "?#".contains($0) }) { return "what follows ? or # in a URL" }
        }
        return nil
    }
}
