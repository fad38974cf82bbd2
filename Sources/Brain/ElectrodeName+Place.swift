import Foundation

extension ElectrodeName {
    /// Where a row of electrodes crosses the midline, in degrees from the vertex forwards, and where it meets the circumference,
    /// in degrees from the nose.
    private static let rows: [String: (middle: Double, end: Double)] = [
        "N": (90, 18), "FP": (72, 18), "AF": (54, 36), "AFF": (45, 45), "F": (36, 54), "FFC": (27, 63), "FC": (18, 72),
        "FT": (18, 72), "C": (0, 90), "T": (0, 90), "CCP": (-9, 99), "CP": (-18, 108), "TP": (-18, 108),
        "P": (-36, 126),
        "PO": (-54, 144), "O": (-72, 162), "I": (-90, 162),
    ]
    /// Names of the 10-20 system that the 10-10 system replaced.
    private static let renamed: [String: (region: String, number: Int)] = [
        "T3": ("T", 7), "T4": ("T", 8), "T5": ("P", 7), "T6": ("P", 8),
    ]

    /// A place on a sphere of radius 1: x to the right, y to the nose, z to the vertex.
    package struct Place: Hashable, Sendable {
        /// The coordinates in heads' radii.
        package let x, y, z: Double

        /// At `polar` degrees from the vertex and `azimuth` degrees from the nose.
        fileprivate init(polar: Double, azimuth: Double) {
            let (polar, azimuth) = (polar * .pi / 180, azimuth * .pi / 180)
            (x, y, z) = (sin(polar) * sin(azimuth), sin(polar) * cos(azimuth), cos(polar))
        }

        /// On the great circle from one place to another, `share` of the way.
        fileprivate init(from one: Place, to other: Place, share: Double) {
            let angle = acos(min(1, max(-1, one.x * other.x + one.y * other.y + one.z * other.z)))
            let (a, b) = (sin((1 - share) * angle) / sin(angle), sin(share * angle) / sin(angle))
            (x, y, z) = (a * one.x + b * other.x, a * one.y + b * other.y, a * one.z + b * other.z)
        }

        /// The distance in heads' radii, through the head.
        package func distance(to other: Place) -> Double {
            let (x, y, z) = (x - other.x, y - other.y, z - other.z)
            return (x * x + y * y + z * z).squareRoot()
        }
    }

    /// The place of the electrode on an average head; nil for regions without one. Oostenveld & Praamstra 2001, Clinical
    /// Neurophysiology 112:713.
    package var place: Place? {
        let (region, number) = Self.renamed[name] ?? (region, number)
        let sign = side == .left ? -1.0 : 1
        // Ears and mastoids lie below the circumference.
        if ["A", "M"].contains(region) { return Place(polar: 105, azimuth: sign * (region == "A" ? 90 : 108)) }
        guard let row = Self.rows[region] else { return nil }
        let middle = Place(polar: abs(row.middle), azimuth: row.middle < 0 ? 180 : 0)
        guard side != .middle else { return middle }
        let step = Double((number + 1) / 2)
        // Rows on the circumference itself have their first electrodes at its next tenth.
        let isOnCircumference = abs(row.middle) >= 72
        let end = Place(polar: abs(row.middle) > 72 ? 90 : 72, azimuth: sign * row.end)
        return Place(from: middle, to: end, share: isOnCircumference ? step : step / 4)
    }

    /// Of each channel whether another one, measured against the same reference, is at most `reach` heads' radii away. True where
    /// a label names no place: nothing is known of its neighbors.
    package static func haveNeighbors(_ labels: [String], comparable: [Bool], within reach: Double) -> [Bool] {
        let places = labels.map { ElectrodeName(label: $0)?.place }
        return labels.indices.map { channel in
            guard let here = places[channel] else { return true }
            return labels.indices.contains { other in
                guard other != channel, comparable[other] else { return false }
                return places[other].map { here.distance(to: $0) <= reach } ?? true
            }
        }
    }
}
