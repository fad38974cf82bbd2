import Crypto
import Foundation

/// A key as its holder writes it: `marey_` and 256 random bits in base64url. Only its SHA-256 is ever kept.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible {
    /// What the holder sends, after `Authorization: Bearer `.
    public let text: String

    /// A new random key, from the system's secure source.
    public init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let coded = Data(bytes).base64EncodedString()
        text =
            "marey_"
            + coded.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// A key as somebody sent it.
    public init(_ text: String) {
        self.text = text
    }

    /// Its SHA-256 in hexadecimal. A key has more entropy than could be guessed, so that no salt or slow hash is needed.
    public var hash: String {
        SHA256.hash(data: Data(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Never the key itself: what is printed ends up in logs.
    public var description: String { "marey_…" }
}
