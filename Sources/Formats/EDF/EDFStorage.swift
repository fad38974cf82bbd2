/// How samples are stored: 16 bits in EDF, 24 bits in BDF.
public enum EDFStorage: Sendable {
    /// EDF+, 16 bits a sample.
    case edf
    /// BDF+, 24 bits a sample: finer than single precision for almost any signal.
    case bdf

    var bytesPerSample: Int { self == .edf ? 2 : 3 }
    /// The least number that can be stored.
    var lowest: Int { self == .edf ? -32_768 : -8_388_608 }
    /// The greatest number that can be stored.
    var highest: Int { -lowest - 1 }
    /// What the header's names of variants begin with.
    var name: String { self == .edf ? "EDF" : "BDF" }
    /// The first eight bytes of a file.
    var magic: [UInt8] { self == .edf ? Array("0       ".utf8) : [0xFF] + Array("BIOSEMI".utf8) }
}
