/// Which differences between electrodes show the eyes.
///
/// A blink makes the forehead positive against the back of the head, whatever the voltages are measured against: on a
/// headband referred to the forehead it is the ears that dip. So front minus back is looked at, on each side of the
/// head by itself, and the two temples against each other for looking sideways.
package struct EyeDerivation: Hashable, Sendable {
    /// What each channel counts in the difference between front and back on a side; nil where there is no such side.
    package let left: [Double]?
    /// See `left`.
    package let right: [Double]?
    /// What each channel counts in the difference between the left and the right temple; nil where there is none.
    package let across: [Double]?

    /// The differences among channels with these labels; nil where none is near the eyes.
    package init?(labels: [String]) {
        let names = labels.map(ElectrodeName.init(label:))
        func places(_ fits: (ElectrodeName) -> Bool) -> [Int] {
            names.indices.filter { names[$0].map(fits) ?? false }
        }
        /// Of the rows that are there only the one nearest the eyes.
        func foremost(_ rows: [String], _ side: ElectrodeName.Side, _ numbers: ClosedRange<Int>) -> [Int] {
            for row in rows {
                let found = places { $0.region == row && $0.side == side && numbers.contains($0.number) }
                if !found.isEmpty { return found }
            }
            return []
        }
        func weights(_ plus: [Int], _ minus: [Int]) -> [Double]? {
            guard !plus.isEmpty else { return nil }
            var weights = [Double](repeating: 0, count: labels.count)
            for place in plus { weights[place] += 1 / Double(plus.count) }
            for place in minus { weights[place] -= 1 / Double(minus.count) }
            return weights
        }
        let back = places { ["T", "TP", "P", "PO", "O", "A", "M", "CP"].contains($0.region) }
        func sided(_ side: ElectrodeName.Side) -> [Double]? {
            let near = back.filter { names[$0]?.side == side }
            return weights(foremost(["FP", "AF", "F"], side, 1...10), near.isEmpty ? back : near)
        }
        (left, right) = (sided(.left), sided(.right))
        if left == nil && right == nil { return nil }
        func temple(_ side: ElectrodeName.Side) -> [Int] {
            let outer = foremost(["F", "AF"], side, 7...10)
            return outer.isEmpty ? foremost(["FP"], side, 1...2) : outer
        }
        let (here, there) = (temple(.left), temple(.right))
        across = here.isEmpty || there.isEmpty ? nil : weights(here, there)
    }

    /// The differences that are there, in the order left, right, across.
    var all: [[Double]] { [left, right, across].compactMap { $0 } }
}
