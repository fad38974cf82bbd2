/// A share 0…1 as people read it: in per cent to a tenth, whole ones without.
public struct Percentage: Hashable, Sendable, CustomStringConvertible {
    /// The text, such as `84.2 %`.
    public let description: String

    /// A rounded share, of which only all reads as 100 %, and only nothing as 0 %.
    public init(_ share: Double) {
        let percent = share * 100
        if percent > 0, percent < 0.1 {
            description = "< 0.1 %"
        } else if percent > 99.9 + Self.noise, percent < 100 - Self.noise {
            description = "> 99.9 %"
        } else {
            description = Self.text(percent)
        }
    }

    /// A share that is too small: cut where rounding would make it read as `bound`.
    public init(_ share: Double, below bound: Double) {
        let tenths = share * 1_000
        if share < bound, tenths.rounded() >= (bound * 1_000).rounded() {
            self.init(text: Self.text((tenths + Self.noise).rounded(.down) / 10))
        } else {
            self.init(share)
        }
    }

    private init(text: String) { description = text }

    /// What the division by a hundred may leave of a whole number.
    private static let noise = 1e-9

    private static func text(_ percent: Double) -> String {
        guard percent.isFinite else { return "n/a" }
        guard percent.magnitude < 1e14 else { return "\(percent) %" }
        let tenths = Int((percent.magnitude * 10).rounded())
        let isWhole = abs(percent - percent.rounded()) < noise
        let sign = percent < 0 && tenths > 0 ? "-" : ""
        return "\(sign)\(tenths / 10)" + (isWhole ? "" : ".\(tenths % 10)") + " %"
    }
}
