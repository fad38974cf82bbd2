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
        [Double](unsafeUninitializedCapacity: q.count) { output, count in
            count = q.count
            for k in 0..<Swift.min(2, count) { output.initializeElement(at: k, to: 0) }
            q.withUnsafeBufferPointer { q in
                for k in 2..<Swift.max(2, count) {
                    output.initializeElement(at: k, to: c.0 * q[k] + c.1 * q[k &- 1] + c.2 * q[k &- 2])
                }
            }
        }
    }

    /// Adds Aᵀ v to `gradient`.
    func addDriverTransposed(_ v: [Double], to gradient: inout [Double]) { addTransposed(driver, v, to: &gradient) }

    /// Adds Mᵀ v to `gradient`.
    func addPhasicTransposed(_ v: [Double], to gradient: inout [Double]) { addTransposed(phasic, v, to: &gradient) }

    private func addTransposed(_ c: (Double, Double, Double), _ v: [Double], to gradient: inout [Double]) {
        let count = v.count
        precondition(count >= 3 && gradient.count == count, "one value per sample, and at least three")
        v.withUnsafeBufferPointer { v in
            gradient.withUnsafeMutableBufferPointer { gradient in
                // The model says nothing of the first two samples.
                gradient[0] += c.2 * v[2]
                gradient[1] += c.1 * v[2] + (count > 3 ? c.2 * v[3] : 0)
                for k in 2..<Swift.max(2, count &- 2) {
                    gradient[k] += c.0 * v[k] + c.1 * v[k &+ 1] + c.2 * v[k &+ 2]
                }
                if count > 3 { gradient[count - 2] += c.0 * v[count - 2] + c.1 * v[count - 1] }
                gradient[count - 1] += c.0 * v[count - 1]
            }
        }
    }
}
