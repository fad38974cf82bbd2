import Foundation

/// The Bateman function as an autoregressive moving-average model: with q the auxiliary signal, the phasic component
/// is r = M q and the sudomotor activity p = A q, both zero in the first two samples (Greco et al. 2016, eq. 8–10).
struct BatemanModel {
    /// Coefficients of A for q at the sample itself, one and two samples before.
    let driver: (Double, Double, Double)
    /// Coefficients of M in the same order.
    let phasic: (Double, Double, Double) = (1, 2, 1)

    init(_ parameters: DecompositionParameters, sampleRate: Double) {
        let step = 1 / sampleRate
        let fast = 1 / parameters.fastTimeConstant
        let slow = 1 / parameters.slowTimeConstant
        let scale = (fast - slow) * step * step
        driver = (
            (fast * step + 2) * (slow * step + 2) / scale, (2 * fast * slow * step * step - 8) / scale,
            (fast * step - 2) * (slow * step - 2) / scale
        )
    }

    /// The activity p = A q.
    func activity(_ q: [Double]) -> [Double] { filtered(q, driver) }

    /// The phasic component r = M q.
    func response(_ q: [Double]) -> [Double] { filtered(q, phasic) }

    private func filtered(_ q: [Double], _ c: (Double, Double, Double)) -> [Double] {
        var output = [Double](repeating: 0, count: q.count)
        for k in 2..<Swift.max(2, q.count) { output[k] = c.0 * q[k] + c.1 * q[k - 1] + c.2 * q[k - 2] }
        return output
    }

    /// Adds Aᵀ v and Mᵀ w to `gradient`.
    func addTransposed(driver v: [Double], phasic w: [Double], to gradient: inout [Double]) {
        let (a, m) = (driver, phasic)
        for k in 2..<Swift.max(2, gradient.count) {
            gradient[k] += a.0 * v[k] + m.0 * w[k]
            gradient[k - 1] += a.1 * v[k] + m.1 * w[k]
            gradient[k - 2] += a.2 * v[k] + m.2 * w[k]
        }
    }
}
