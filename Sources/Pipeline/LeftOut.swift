/// Something of a recording that nothing was computed from, or that was asked for and not computed.
public struct LeftOut: Hashable, Sendable {
    /// What it is, in words for the reader.
    public var what: String
    /// Why it was left out, in words for the reader.
    public var why: String
    /// The index of the stream that nothing was computed from; nil where it is something else.
    public var stream: Int?
    /// Whether the stream's unit cannot be read as one of its kind.
    public var isForeignUnit = false

    init(_ what: String, _ why: String, stream: Int? = nil, isForeignUnit: Bool = false) {
        (self.what, self.why, self.stream, self.isForeignUnit) = (what, why, stream, isForeignUnit)
    }
}
