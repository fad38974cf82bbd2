import Kernels

import func Foundation.atan2

/// Asymmetry of the Poincaré plot around its line of identity: decelerations (points above it) against accelerations.
struct Asymmetry {
    /// Guzik's index: share of the distances from the line that decelerations have, in percent (Guzik et al. 2006).
    private(set) var guzik = 0.0
    /// Slope index: the same of the angles (Karmakar et al. 2015), in percent.
    private(set) var slope = 0.0
    /// Area index: the same of the sector areas (Yan et al. 2017), in percent.
    private(set) var area = 0.0
    /// Porta's index: share of the points off the line that are accelerations, in percent (Porta et al. 2008).
    private(set) var porta = 0.0
    /// Short-term variance by decelerations and accelerations, ms² (Piskorski & Guzik 2011).
    private(set) var short = (decelerations: 0.0, accelerations: 0.0)
    /// Long-term variance by decelerations and accelerations, ms².
    private(set) var long = (decelerations: 0.0, accelerations: 0.0)

    /// Share of decelerations in the variance, 0…1.
    var deceleration: Double {
        let sum = short.decelerations + long.decelerations
        return sum / (sum + short.accelerations + long.accelerations)
    }

    /// From pairs of successive intervals in ms.
    init?(_ pairs: [(first: Double, second: Double)]) {
        guard pairs.count > 1 else { return nil }
        let centre = Statistics.mean(pairs.map(\.first)) + Statistics.mean(pairs.map(\.second))
        var distance = (decelerations: 0.0, all: 0.0)
        var (angles, areas) = (distance, distance)
        var (accelerations, changes) = (0, 0)
        for (first, second) in pairs {
            let step = abs(second - first) < 1e-6 ? 0 : second - first
            let along = (first + second - centre) * (first + second - centre) / 2
            let angle = abs(atan2(second, first) - .pi / 4)
            let sector = angle * (first * first + second * second) / 2
            distance.all += abs(step)
            angles.all += angle
            areas.all += sector
            if step > 0 {
                distance.decelerations += step
                angles.decelerations += angle
                areas.decelerations += sector
                short.decelerations += step * step / 2
                long.decelerations += along
            } else if step < 0 {
                accelerations += 1
                short.accelerations += step * step / 2
                long.accelerations += along
            } else {
                long.decelerations += along / 2
                long.accelerations += along / 2
            }
            if step != 0 { changes += 1 }
        }
        guard changes > 0 else { return nil }
        let freedom = Double(pairs.count - 1)
        short = (short.decelerations / freedom, short.accelerations / freedom)
        long = (long.decelerations / freedom, long.accelerations / freedom)
        guzik = 100 * distance.decelerations / distance.all
        slope = 100 * angles.decelerations / angles.all
        area = 100 * areas.decelerations / areas.all
        porta = 100 * Double(accelerations) / Double(changes)
    }
}
