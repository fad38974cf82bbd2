import Foundation

/// The variables of a MATLAB file of level 5, compressed or not (MathWorks, "MAT-File Format", chapter 1): 128 bytes of
/// header, then an array after the other.
struct MatlabVariables {
    /// One of them.
    struct Variable {
        var name: String
        /// Its data element in the file.
        fileprivate var element: MatlabDecoder.Element
    }

    let file: InputFile
    private(set) var variables: [Variable] = []
    private let isBigEndian: Bool
    private let plain: MatlabDecoder
    private static let headerSize = 128
    private static let most = 10_000

    /// The byte order of a file that begins with `head`; nil where it is no MATLAB file of level 5.
    static func isBigEndian(_ head: [UInt8]) -> Bool? {
        guard head.count >= headerSize else { return nil }
        switch head[124..<128] {
        case [0x00, 0x01, 0x49, 0x4D]: return false
        case [0x01, 0x00, 0x4D, 0x49]: return true
        default: return nil
        }
    }

    /// Whether a file begins like one of version 7.3, which is HDF5 behind a header of MATLAB's or as it stands.
    static func isHDF5(_ head: [UInt8]) -> Bool {
        let mark: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
        return head.starts(with: mark) || head.dropFirst(512).starts(with: mark)
            || head.starts(with: Array("MATLAB 7.3 MAT-file".utf8))
    }

    /// - Throws: `FormatError` where the file is no MATLAB file of level 5, or is cut off.
    init(_ file: InputFile) throws {
        self.file = file
        guard let isBigEndian = Self.isBigEndian(try file.read(at: 0, count: Self.headerSize)) else {
            throw FormatError(file.url, at: "byte 0", "does not begin with the header of a MATLAB file of level 5")
        }
        self.isBigEndian = isBigEndian
        plain = MatlabDecoder(bytes: MatlabBytes(file), isBigEndian: isBigEndian)
        var place = Self.headerSize
        while place < file.size {
            let element = try plain.element(at: place, within: file.size)
            if let name = try name(of: element) { variables.append(Variable(name: name, element: element)) }
            guard variables.count <= Self.most else {
                throw FormatError(file.url, at: "byte \(place)", "has more than \(Self.most) variables")
            }
            place = element.next
        }
    }

    /// What is in an element, ready to be read; nil where it is no variable.
    private func opened(_ element: MatlabDecoder.Element) throws -> (MatlabDecoder, MatlabDecoder.Element)? {
        switch MatlabType(rawValue: element.type) {
        case .matrix: return (plain, element)
        case .compressed:
            let bytes = try MatlabBytes(unpacking: element.place..<element.end, of: file, isBigEndian: isBigEndian)
            let decoder = MatlabDecoder(bytes: bytes, isBigEndian: isBigEndian)
            return (decoder, try decoder.element(at: 0, within: bytes.size))
        default: return nil
        }
    }

    private func name(of element: MatlabDecoder.Element) throws -> String? {
        guard let (decoder, matrix) = try opened(element) else { return nil }
        return try decoder.heading(of: matrix).name
    }

    /// The value of the variable of this name; nil where there is none.
    /// - Parameters:
    ///   - wish: which fields are read where it is a struct.
    ///   - isChecked: whether a compressed variable is compared with its checksum, for which it is unpacked to its end.
    /// - Throws: `FormatError` where it cannot be right.
    func value(_ name: String, _ wish: MatlabWish, isChecked: Bool) throws -> MatlabValue? {
        guard let variable = variables.first(where: { $0.name == name }),
            let (decoder, matrix) = try opened(variable.element)
        else { return nil }
        let value = try decoder.value(matrix, wish)
        if isChecked { try decoder.bytes.check() }
        return value
    }

    /// The rows of letters of the variable of this name; nil where there is none, or it holds something else.
    /// - Throws: `FormatError` where it cannot be right.
    func lines(_ name: String) throws -> [String]? {
        guard let variable = variables.first(where: { $0.name == name }),
            let (decoder, matrix) = try opened(variable.element)
        else { return nil }
        return try decoder.lines(of: matrix)
    }
}
