import Foundation

/// Follows a device's sequence numbers from row to row, and tells the runs of rows between which samples were lost.
///
/// Numbers begin anew at 0 after the last that their bits allow: 4 bits of a BITalino, of which a loss of whole sixteens
/// cannot be told; after 32,767 or another last number of so many bits where the header does not say.
struct OpenSignalsCounter {
    private(set) var runs = SampleRuns()
    private let modulus: Int?
    private var previous: Int?
    private var row = 0
    private var steps = 0

    init(bits: Int?) {
        modulus = bits.map { 1 << $0 }
    }

    /// Whether the numbers count the rows at all; some programs write the same in all of them.
    var counts: Bool { runs.places <= steps / 4 + 1 }

    /// The next row's number.
    /// - Throws: what cannot be, to be told with the line.
    mutating func take(_ number: Int) throws(Fault) {
        defer {
            previous = number
            row += 1
        }
        // Where numbers do not count, nothing is to be learnt from more of them.
        guard let previous, counts || steps < 256 else { return }
        steps += 1
        guard number != previous + 1 else { return }
        runs.lose(try missing(from: previous, to: number), before: row)
    }

    /// Why a number cannot follow another.
    enum Fault: Error {
        case beginsAnew(after: Int)
        case goesBack(from: Int, to: Int)
    }

    private func missing(from previous: Int, to number: Int) throws(Fault) -> Int {
        if number > previous { return number - previous - 1 }
        if let modulus, max(previous, number) < modulus { return number - previous - 1 + modulus }
        let isFull = (previous + 1).nonzeroBitCount == 1 && previous >= 15
        if number == 0, isFull { return 0 }
        // The same number in all rows counts nothing.
        if number == previous, runs.places == steps - 1 { return 1 }
        guard number > 0 else { throw .beginsAnew(after: previous) }
        let last = max(1 << 15, isFull ? previous + 1 : 1 << (Int.bitWidth - previous.leadingZeroBitCount))
        let missing = number - previous - 1 + last
        // More than half of all numbers at once is a step back.
        guard number < previous, missing <= last / 2 else { throw .goesBack(from: previous, to: number) }
        return missing
    }
}
