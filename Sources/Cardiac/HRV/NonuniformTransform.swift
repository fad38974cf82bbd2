import Foundation
import Kernels

/// Sums Σ w[j]·e^(−ik·x[j]) for k = 0 … `highest` over uneven places x: a Fourier transform of uneven samples in
/// n log n steps.
///
/// Greengard & Lee 2004, SIAM Rev 46:443-454: each sample is spread over the nearest places of an even grid by a
/// Gaussian, transformed, and the Gaussian divided out. Twelve places to each side leave a relative error below 1e-11.
struct NonuniformTransform {
    private static let reach = 12
    private let highest: Int
    private let transform: RealFFT<Double>
    private let width: Double

    init(highest: Int) {
        self.highest = highest
        var length = 64
        while length < 4 * (highest + 1) { length *= 2 }
        transform = RealFFT(length: length)
        let modes = Double(length) / 2
        width = .pi * Double(Self.reach) / (modes * modes * 2 * 1.5)
    }

    /// Real and imaginary parts for k = 0 … `highest`.
    /// - Parameters:
    ///   - places: in radians.
    ///   - weights: one per place; nil for ones.
    func callAsFunction(_ places: [Double], _ weights: [Double]? = nil) -> Spectrum<Double> {
        let length = transform.length
        var grid = [Double](repeating: 0, count: length)
        let step = 2 * Double.pi / Double(length)
        for (index, place) in places.enumerated() {
            let wrapped = place - (place / (2 * .pi)).rounded(.down) * 2 * .pi
            let nearest = Int(wrapped / step)
            let weight = weights.map { $0[index] } ?? 1
            for offset in 1 - Self.reach...Self.reach {
                let distance = wrapped - Double(nearest + offset) * step
                // The grid's length is a power of two.
                grid[(nearest + offset) & (length - 1)] += weight * exp(-distance * distance / (4 * width))
            }
        }
        let spectrum = transform.forward(grid)
        let scale = (.pi / width).squareRoot() / Double(length)
        let factors = (0...highest).map { scale * exp(Double($0) * Double($0) * width) }
        return Spectrum(
            real: zip(factors, spectrum.real).map { $0 * $1 },
            imaginary: zip(factors, spectrum.imaginary).map { $0 * $1 })
    }
}
