import Signals

/// Follows a board's sample numbers from row to row, and tells between which of them samples were lost.
///
/// Boards number their samples in different ways, which no header names: all numbers from 0 to 255, or every second of them
/// (a Cyton with a Daisy); 0 to 200 (a Ganglion through its shield); each of 0 to 100 or 101 to 200 twice, as a Ganglion
/// sends two samples in a packet, its 0 once or twice by its firmware. All are followed at once, and the one with the fewest
/// losses was it. A loss of a whole round cannot be seen in them.
struct OpenBCICounter {
    /// The numbers of a round, one after the other.
    private static let rounds: [[Int]] = [
        Array(0...255), Array(stride(from: 0, through: 254, by: 2)), Array(stride(from: 1, through: 255, by: 2)),
        Array(0...200), [0] + twice(1...100), [0] + twice(101...200), twice(0...99), twice(0...100), twice(100...199),
        twice(101...200),
    ]

    private static func twice(_ numbers: ClosedRange<Int>) -> [Int] { numbers.flatMap { [$0, $0] } }

    private var followers = rounds.map(Follower.init)
    private var row = 0

    /// The next row's number; nil where it is none.
    mutating func take(_ number: Int?) {
        for place in followers.indices { followers[place].take(number, row: row) }
        row += 1
    }

    /// Losses by the numbers, how many samples a round has, and the rows after a loss with which a round begins, as where
    /// the board was started again; nil where the numbers do not count.
    var counted: (runs: SampleRuns, round: Int, beginnings: Set<Int>)? {
        let best = followers.filter(\.counts).min { $0.runs.places < $1.runs.places }
        return best.map { ($0.runs, $0.round.count, $0.beginnings) }
    }
}

/// Follows one order of numbers.
private struct Follower {
    let round: [Int]
    private(set) var runs = SampleRuns()
    /// Rows after a loss whose number is one of the first two of a round.
    private(set) var beginnings: Set<Int> = []
    /// The places of a number in the round.
    private let places: [[Int]]
    /// Where in the round the last number may stand.
    private var current: [Int] = []
    private var strangers = 0
    private var rows = 0

    init(_ round: [Int]) {
        self.round = round
        var places = Array(repeating: [Int](), count: 256)
        for (place, number) in round.enumerated() { places[number].append(place) }
        self.places = places
    }

    /// Whether the numbers follow it in nearly all rows.
    var counts: Bool { rows > 1 && runs.places + strangers <= rows / 20 + 1 }

    mutating func take(_ number: Int?, row: Int) {
        // What does not follow it at the beginning never will.
        guard counts || rows < 256 else { return }
        rows += 1
        guard let number, places.indices.contains(number), !places[number].isEmpty else {
            strangers += 1
            current = []
            return
        }
        let next = places[number]
        guard !current.isEmpty else {
            current = next
            return
        }
        var best = (missing: Int.max, place: 0)
        for place in next {
            for before in current {
                let missing = (place - before - 1 + round.count) % round.count
                if missing < best.missing { best = (missing, place) }
            }
        }
        current = [best.place]
        runs.lose(best.missing, before: row)
        if best.missing > 0, best.place < 2 { beginnings.insert(row) }
    }
}
