import Kernels
import Signals

/// How much a simulated sinus rhythm varies, and at which frequencies.
public struct HeartRateVariability: Hashable, Codable, Sendable {
    /// Power of the RR series below 0.04 Hz, in ms².
    public var vlf: Double = 200
    /// Power of the RR series around 0.1 Hz, in ms².
    public var lf: Double = 450
    /// Power of the RR series at the respiratory frequency, in ms².
    public var hf: Double = 312.5
    /// Frequency of breathing in Hz: where the HF power lies, and what modulates the amplitudes of the signals.
    public var respirationRate: Double = 0.25
    /// How the power lies in its band.
    public var shape: Shape = .bands
    /// Standard deviation, in ms, of an independent error added to each sinus interval; its power is spread evenly.
    public var jitter: Double = 0

    /// The default variability: VLF 200, LF 450, HF 312.5 ms² in bands.
    public init() {}

    /// How a band's power is distributed.
    public enum Shape: String, Codable, CaseIterable, Sendable {
        /// One sinusoid per band, at 0.02 Hz, 0.1 Hz and the respiratory frequency.
        case tones
        /// Many sinusoids of random phase: a bell around 0.1 Hz (SD 0.01) and around the respiratory frequency
        /// (SD 0.01), as McSharry et al., IEEE Trans Biomed Eng 50:289, 2003, and 1/f from 0.005 to 0.035 Hz.
        case bands
    }
}

/// The deviation of the RR interval from its mean as a function of time: a sum of sinusoids whose powers add up to
/// exactly those asked for. In a short recording neighbouring sinusoids of a band interfere, as in a real heart.
struct RRModulation: Sendable {
    private var components: [(frequency: Double, phase: Double, amplitude: Double)] = []

    init(_ variability: HeartRateVariability, random: inout RandomSource) {
        let respiration = variability.respirationRate
        switch variability.shape {
        case .tones:
            // The respiratory tone has phase 0, as the amplitude modulation has.
            for (power, frequency) in [(variability.vlf, 0.02), (variability.lf, 0.1), (variability.hf, respiration)] {
                let phase = frequency == respiration ? 0 : random.uniform()
                components.append((frequency, phase, (2e-6 * power).squareRoot()))
            }
        case .bands:
            addBand(power: variability.vlf, 0.005...0.035, &random) { 1 / $0 }
            addBand(power: variability.lf, 0.07...0.13, &random) { Self.bell(($0 - 0.1) / 0.01) }
            addBand(power: variability.hf, respiration - 0.03...respiration + 0.03, &random) {
                Self.bell(($0 - respiration) / 0.01)
            }
        }
    }

    /// Seconds to add to the mean RR interval at `time`.
    func value(at time: Seconds) -> Seconds {
        var sum = 0.0
        for component in components {
            sum += component.amplitude * Elementary.sine(turns: component.frequency * time + component.phase)
        }
        return sum
    }

    private static func bell(_ z: Double) -> Double { Elementary.exp(-z * z / 2) }

    /// One sinusoid at a random place within the middle half of each of 16 equal parts of the band.
    private mutating func addBand(
        power: Double, _ band: ClosedRange<Double>, _ random: inout RandomSource, density: (Double) -> Double
    ) {
        let parts = 16
        let width = (band.upperBound - band.lowerBound) / Double(parts)
        let frequencies = (0..<parts).map { band.lowerBound + (Double($0) + random.uniform(0.25...0.75)) * width }
        let densities = frequencies.map(density)
        let total = densities.reduce(0, +)
        for (frequency, density) in zip(frequencies, densities) {
            components.append((frequency, random.uniform(), (2e-6 * power * density / total).squareRoot()))
        }
    }
}
