import CVectors

/// What prepares a row of samples for a spectrum, and what is seen of it on the way.
extension Scans {
    /// What some values show at a glance.
    package struct Glance {
        /// Their sum in double precision, in four parts.
        package let sum: Double
        /// The largest magnitude, 0 where there are no values; not a number where one of them is not.
        package let largest: Float
        /// Whether three successive values are the same somewhere.
        package let hasThreeEqual: Bool
    }

    /// What values without their level show.
    package struct Swing {
        /// Their sum, each times its distance from the middle of them, in double precision, in four parts.
        package let moment: Double
        /// The largest step from one to the next, and the largest of them, as magnitudes.
        package let jump, peak: Float
    }

    /// What `values` show at a glance.
    package static func look(_ values: Span<Float>) -> Glance {
        values.withUnsafeBufferPointer { values in
            let seen = values.baseAddress.map { marey_look($0, values.count) } ?? marey_glance()
            return Glance(
                sum: seen.sum, largest: Float(bitPattern: seen.largest), hasThreeEqual: seen.has_three_equal != 0)
        }
    }

    /// Writes `values` less `level` into `target`, the first at `place`.
    /// - Precondition: room for them.
    package static func centre(
        _ values: Span<Float>, at level: Float, into target: inout [Float], at place: Int
    ) -> Swing {
        precondition(place >= 0 && place + values.count <= target.count, "room for the values")
        return target.withUnsafeMutableBufferPointer { target in
            values.withUnsafeBufferPointer { values in
                guard let from = values.baseAddress, let to = target.baseAddress else {
                    return Swing(moment: 0, jump: 0, peak: 0)
                }
                let seen = marey_centre(from, values.count, level, to + place)
                return Swing(
                    moment: seen.moment, jump: Float(bitPattern: seen.jump), peak: Float(bitPattern: seen.peak))
            }
        }
    }

    /// Takes the line that fits the values in `range` best, of which `moment` is told by `centre`, out of them.
    /// - Precondition: they are there.
    package static func takeOutLine(moment: Double, of values: inout [Float], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= values.count, "values in the range")
        let count = Double(range.count)
        guard range.count > 1 else { return }
        let slope = moment * 12 / (count * (count * count - 1))
        values.withUnsafeMutableBufferPointer { values in
            if let start = values.baseAddress { marey_take_out_line(start + range.lowerBound, range.count, slope) }
        }
    }
}
