/// JSON without blanks laid out as Foundation's encoder does it: a line for every value, two blanks for every level.
enum IndentedJSON {
    /// - Parameter level: how many levels what holds `text` is indented by.
    static func text(of text: [UInt8], level: Int) -> [UInt8] {
        var (laid, level): ([UInt8], Int) = ([], level)
        laid.reserveCapacity(2 * text.count)
        func beginLine() {
            laid.append(UInt8(ascii: "\n"))
            laid.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
        }
        var (isText, isEscaped) = (false, false)
        for (place, byte) in text.enumerated() {
            if isText {
                laid.append(byte)
                isText = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                laid.append(byte)
                level += 1
                let next = place + 1 < text.count ? text[place + 1] : 0
                let isEmpty = next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
                if isEmpty { laid.append(UInt8(ascii: "\n")) } else { beginLine() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                beginLine()
                laid.append(byte)
            case UInt8(ascii: ","):
                laid.append(byte)
                beginLine()
            case UInt8(ascii: ":"): laid.append(contentsOf: " : ".utf8)
            default:
                isText = byte == UInt8(ascii: "\"")
                laid.append(byte)
            }
        }
        return laid
    }
}
