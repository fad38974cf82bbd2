import Foundation

/// A sine wave in conductance, as breathing or the pulse makes it.
struct Ripple: Sendable {
    /// Cycles per second.
    var frequency: Double
    /// Its cosine and sine part at `middle`, µS.
    var (cosine, sine): (Double, Double)
    /// The place of the middle of the window that it was found in, in samples of the run.
    var middle: Double
    /// The share of the variance in its window that it explains, 0…1; responses are left out of that.
    var explained: Double
    /// The share of its window that is not left out as a response, 0…1.
    var kept: Double

    /// Half of its height from trough to peak, µS.
    var amplitude: Double { (cosine * cosine + sine * sine).squareRoot() }

    /// Its value at a place, µS.
    func value(at place: Double, sampleRate: Double) -> Double {
        let phase = 2 * Double.pi * frequency * (place - middle) / sampleRate
        return cosine * cos(phase) + sine * sin(phase)
    }
}
