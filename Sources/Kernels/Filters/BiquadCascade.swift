/// A recursive filter as second-order sections in a row: the design, without any state.
///
/// `BiquadFilter` runs it on one channel, `BiquadBank` on many; `zeroPhase` on a whole array forwards and backwards.
public struct BiquadCascade: Sendable, Hashable {
    /// The sections, in the order in which the signal passes them.
    public let sections: [Biquad]

    /// The cascade of `sections`. None at all passes the signal unchanged.
    public init(_ sections: [Biquad]) {
        self.sections = sections
    }

    /// This filter followed by `next`.
    public func followed(by next: BiquadCascade) -> BiquadCascade {
        BiquadCascade(sections + next.sections)
    }

    /// The frequency response.
    /// - Parameters:
    ///   - frequency: in hertz.
    ///   - sampleRate: in hertz.
    public func response(at frequency: Double, sampleRate: Double) -> Complex {
        let angle = 2 * Double.pi * frequency / sampleRate
        return sections.reduce(Complex(1)) { $0 * $1.response(angle: angle) }
    }
}
