import Devices
import Signals
import Testing

/// A server, or what passes on what it says, that says things twice or in another order.
@Suite struct RepeatedLineTests {
    /// Lines of a second, sent in pieces of `size` lines.
    private func lines(inPiecesOf size: Int) -> [[String]] {
        let start = 1_700_000_000.0
        let lines = (0..<64).flatMap { index -> [String] in
            let time = start + Double(index) / 64
            // Half of them have the value of the one before, as temperatures do.
            var lines = ["E4_Bvp \(time) \(index / 2)"]
            if index % 16 == 0 { lines.append("E4_Temperature \(time) 33.1") }
            if index == 20 { lines += ["E4_Ibi \(time) 0.8", "E4_Hr \(time) 75", "E4_Tag \(time)"] }
            return lines
        }
        return stride(from: 0, to: lines.count, by: size).map { Array(lines[$0..<min(lines.count, $0 + size)]) }
    }

    @Test(arguments: [1, 3, 7, 20]) func whatComesTwiceIsTakenOnce(size: Int) {
        let once = lines(inPiecesOf: size)
        let doubled = once.flatMap { [$0, $0] }
        let told = events(EmpaticaServerConversation(), [streaming(doubled.flatMap { $0 })])
        let truth = events(EmpaticaServerConversation(), [streaming(once.flatMap { $0 })])
        for stream in ["bvp", "temperature"] {
            #expect(
                told.samples(stream).flatMap { $0.block.channel(0) }
                    == truth.samples(stream).flatMap { $0.block.channel(0) })
            #expect(told.samples(stream).allSatisfy { !$0.restarted })
        }
        #expect(told.values("ibi") == truth.values("ibi") && told.values("ibi").count == 1)
        #expect(told.values("heartRate").count == 1)
        #expect(told.count { if case .marker("tag", _, _) = $0 { true } else { false } } == 1)
        #expect(told.malformed.count == once.joined().count)
        #expect(told.malformed.allSatisfy { $0.problem == "the value came twice" })
    }

    @Test func aLineThatIsOvertakenIsAGapAndNoSampleElsewhere() {
        var lines = self.lines(inPiecesOf: 1).flatMap { $0 }.filter { $0.hasPrefix("E4_Bvp") }
        lines.swapAt(10, 11)
        let told = events(EmpaticaServerConversation(), [streaming(lines)])
        let samples = told.samples("bvp")
        #expect(samples.map(\.index) == [0, 11])
        #expect(samples.map(\.block.frameCount) == [10, 53])
        #expect(told.malformed.map(\.problem) == ["the value came too late"])
    }

    @Test func samplesOfAClockThatStandsStillAreNotTakenForRepetitions() {
        let lines = (0..<40).map { "E4_Gsr \(1_700_000_000 + min(Double($0), 10) / 4) \($0 < 20 ? 1 : 2)" }
        let told = events(EmpaticaServerConversation(), [streaming(lines)])
        #expect(told.samples("eda").map(\.block.frameCount).reduce(0, +) == 40 - 3)
    }
}
