/// One annotation of a WFDB record.
public struct WFDBAnnotation: Hashable, Sendable {
    /// The frame it stands at, 0-based, counted as the record counts.
    public var sample: Int
    /// What it says, as a code 1…49 (ecgcodes.h); 0 is no annotation.
    public var code: UInt8
    /// A finer class whose meaning depends on the code.
    public var subtype: Int8
    /// The signal it belongs to.
    public var chan: UInt8
    /// A number whose meaning depends on the annotator.
    public var num: Int8
    /// A note, such as the rhythm `(AFIB`; empty when there is none. At most 255 bytes in a file.
    public var aux: String

    /// An annotation by code.
    public init(sample: Int, code: UInt8, subtype: Int8 = 0, chan: UInt8 = 0, num: Int8 = 0, aux: String = "") {
        self.sample = sample
        self.code = code
        self.subtype = subtype
        self.chan = chan
        self.num = num
        self.aux = aux
    }

    /// An annotation by symbol; nil when there is no such symbol.
    public init?(sample: Int, symbol: String, subtype: Int8 = 0, chan: UInt8 = 0, num: Int8 = 0, aux: String = "") {
        guard let code = Self.code(ofSymbol: symbol) else { return nil }
        self.init(sample: sample, code: code, subtype: subtype, chan: chan, num: num, aux: aux)
    }

    /// The symbol of its code, such as `N` or `V`; `[42]` for a code without one.
    public var symbol: String { Self.symbol(ofCode: code) }

    /// Whether it marks a QRS complex, as the macro `isqrs` of WFDB's ecgmap.h says.
    public var isBeat: Bool { Self.isBeat(code: code) }

    /// The symbol of a code, as WFDB's programs print it; `[42]` for a code without one.
    public static func symbol(ofCode code: UInt8) -> String {
        guard code < symbols.count, !symbols[Int(code)].isEmpty else { return "[\(code)]" }
        return symbols[Int(code)]
    }

    /// The code of a symbol; nil when there is none.
    public static func code(ofSymbol symbol: String) -> UInt8? {
        if let code = codes[symbol] { return code }
        guard symbol.first == "[", symbol.last == "]", let code = UInt8(symbol.dropFirst().dropLast()), code < 50
        else { return nil }
        return code
    }

    /// Whether annotations of a code mark a QRS complex (`isqrs` of WFDB's ecgmap.h).
    public static func isBeat(code: UInt8) -> Bool {
        switch code {
        case 1...13, 25, 30, 31, 34, 35, 38, 41: true
        default: false
        }
    }

    /// Whether annotations of a symbol mark a QRS complex (`isqrs` of WFDB's ecgmap.h).
    public static func isBeat(symbol: String) -> Bool {
        code(ofSymbol: symbol).map { isBeat(code: $0) } ?? false
    }

    private static let symbols = [
        " ", "N", "L", "R", "a", "V", "F", "J", "A", "S", "E", "j", "/", "Q", "~", "", "|", "", "s", "T", "*", "D",
        "\"",
        "=", "p", "B", "^", "t", "+", "u", "?", "!", "[", "]", "e", "n", "@", "x", "f", "(", ")", "r",
    ]

    private static let codes: [String: UInt8] = {
        var codes: [String: UInt8] = [:]
        for (code, symbol) in symbols.enumerated() where !symbol.isEmpty { codes[symbol] = UInt8(code) }
        return codes
    }()
}
