/// Whole numbers for the page's script, three characters each: 18 bits in an alphabet that needs no escaping and
/// cannot spell a word for what is not a number.
enum Packed {
    /// What stands for a number that is missing or too large.
    static let none = (1 << 18) - 1

    /// The numbers in order; those outside `0..<none` as `none`.
    static func text(_ numbers: some Sequence<Int>) -> String {
        var bytes: [UInt8] = []
        for number in numbers {
            let code = (0..<none).contains(number) ? number : none
            bytes += [alphabet[code >> 12], alphabet[code >> 6 & 63], alphabet[code & 63]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLM.OPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
