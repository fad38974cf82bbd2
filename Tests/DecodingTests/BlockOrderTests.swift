import Decoding
import Kernels
import Testing

/// Which blocks there are, and in which orders they may be called by the states' names.
struct BlockOrderTests {
    private func span(_ state: DecodedState, _ from: Double, _ to: Double) -> CalibrationSpan {
        CalibrationSpan(state: state, time: from..<to)
    }

    @Test("rows that are there twice, that touch, and trials within the row of their block, are one block")
    func overlapOfOneState() throws {
        let rows = [
            span(.high, 30, 50), span(.low, 0, 20), span(.low, 0, 20), span(.low, 2, 6), span(.low, 18, 25),
            span(.high, 30, 50), span(.low, 60, 80), span(.low, 80, 100),
        ]
        #expect(
            try CalibrationSpan.separated(rows) == [
                span(.low, 0, 25), span(.high, 30, 50), span(.low, 60, 100),
            ])
    }

    @Test("trials of one state that follow each other within ten seconds are one block, without what lies between them")
    func trialsOfABlock() throws {
        let spans = [
            span(.low, 0, 10), span(.low, 15, 25), span(.low, 35, 45), span(.high, 45, 55), span(.low, 57, 67),
            span(.low, 69, 79),
        ]
        let epochs = (0..<90).map { DecodableEpoch(onset: Double($0), duration: 2, features: [0]) }
        let blocks = CalibrationBlock.blocks(epochs, spans: spans, joining: CalibrationBlock.pause)
        #expect(blocks.map(\.state) == [.low, .low, .high, .low])
        #expect(
            blocks.map { $0.epochs.map(\.onset) }.map { [$0.first, $0.last] } == [
                [1, 23], [36, 43], [46, 53], [58, 77],
            ])
        #expect(!blocks[0].epochs.contains { (9..<16).contains($0.onset) })
        #expect(CalibrationBlock.blocks(epochs, spans: spans).count == 6)
    }

    @Test("where two states claim the same time nothing is fitted, unless that is rounding")
    func overlapOfTwoStates() throws {
        #expect(throws: ModelError.overlap(.low, .high, at: 19)) {
            try CalibrationSpan.separated([span(.low, 0, 20), span(.high, 19, 40)])
        }
        #expect(throws: ModelError.overlap(.low, .neutral, at: 5)) {
            try CalibrationSpan.separated([span(.low, 0, 20), span(.neutral, 5, 10)])
        }
        #expect(
            try CalibrationSpan.separated([span(.low, 0, 20.05), span(.high, 20, 40)]) == [
                span(.low, 0, 20), span(.high, 20, 40),
            ])
    }

    /// All orders, found by counting.
    private func counted(_ high: Int, _ low: Int, turns: Int) -> Set<[Bool]> {
        let count = high + low
        let all = (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
        return Set(all.filter { order in order.count { $0 } == high && StateOrders.turns(order) <= turns })
    }

    @Test(
        "the orders of blocks are all that turn no more often",
        arguments: [
            "LHLHLHLH", "LLLLHHHH", "HHHHLLLL", "LLHHLLHH", "LHHHHL", "LHLHLHLHL", "HLLHLLHLLH", "LLLLLLHH", "LH", "H",
            "",
        ])
    func orders(_ word: String) throws {
        let real = word.map { $0 == "H" }
        let orders = StateOrders(real)
        let expected = counted(real.count { $0 }, real.count { !$0 }, turns: StateOrders.turns(real))
        if !real.isEmpty { #expect(orders.count == Double(expected.count)) }
        let all = try #require(orders.all(most: 1000))
        #expect(all.count == expected.count && Set(all) == expected && expected.contains(real))
    }

    @Test("random orders are each as likely as any other", arguments: ["LHLHLHLH", "LLHHLLHH", "LHHLHH"])
    func randomOrders(_ word: String) {
        let real = word.map { $0 == "H" }
        let expected = counted(real.count { $0 }, real.count { !$0 }, turns: StateOrders.turns(real))
        var random = RandomSource(seed: 3, "orders")
        var seen: [[Bool]: Int] = [:]
        let draws = 400 * expected.count
        for _ in 0..<draws { seen[StateOrders(real).random(&random), default: 0] += 1 }
        #expect(Set(seen.keys) == expected)
        // Of 400 expected, with a standard deviation of 20.
        #expect(seen.values.allSatisfy { abs($0 - 400) < 100 })
    }

    /// How many of 40 participants whose features drift, and who do not differ between the states, get a model.
    private func accepted(_ order: [DecodedState]) throws -> Int {
        try (0..<40).count { seed in
            var person = SimulatedParticipant(dimensions: 4, effect: 0, seed: UInt64(seed))
            let layout = try person.layout
            let blocks = order.enumerated().map { place, state in
                var block = person.block(state, epochs: 20)
                for epoch in block.epochs.indices {
                    block.epochs[epoch].features = block.epochs[epoch].features.map { values in
                        values.map { $0 + 0.4 * Double(place) }
                    }
                }
                return block
            }
            let fitted = try fitting([.discriminant]).fit(blocks, prediction: "enjoyment", layout: layout)
            return fitted.verdict == .accepted
        }
    }

    @Test("what drifts gets no model, whatever the order of the states")
    func drift() throws {
        let halves = Array(repeating: DecodedState.low, count: 6) + Array(repeating: .high, count: 6)
        let inTurn = (0..<12).map { $0 % 2 == 0 ? DecodedState.low : .high }
        let quarters = (0..<12).map { $0 / 3 % 2 == 0 ? DecodedState.low : .high }
        #expect(try accepted(halves) == 0)
        #expect(try accepted(quarters) <= 2)
        #expect(try accepted(inTurn) <= 2)
    }
}
