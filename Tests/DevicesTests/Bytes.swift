/// The bytes written as hexadecimal digits, with spaces or `|` anywhere.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter(\.isHexDigit)
    precondition(digits.count.isMultiple(of: 2), "whole bytes")
    var bytes: [UInt8] = []
    var rest = Substring(digits)
    while !rest.isEmpty {
        bytes.append(UInt8(rest.prefix(2), radix: 16)!)
        rest = rest.dropFirst(2)
    }
    return bytes
}
