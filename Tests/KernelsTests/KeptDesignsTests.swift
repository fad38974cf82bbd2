import Kernels
import Testing

/// Designs that are kept for whoever asks again.
struct KeptDesignsTests {
    private struct Refusal: Error {}

    @Test("what was designed for a question is not designed again, and another question has another answer")
    func kept() {
        let designs = KeptDesigns<Int, [Int]>()
        var made = 0
        func design(_ question: Int) -> [Int] {
            designs.design(for: question, length: 1) {
                made += 1
                return [question]
            }
        }
        #expect(design(1) == [1] && design(2) == [2] && design(1) == [1])
        #expect(made == 2)
    }

    @Test("who asks for ever new ones gets each of them, and few are kept")
    func many() {
        let designs = KeptDesigns<Int, Int>()
        var made = 0
        for round in 1...2 {
            for question in 0..<100 {
                let design = designs.design(for: question, length: 1) {
                    made += 1
                    return question * 7
                }
                #expect(design == question * 7, "round \(round)")
            }
        }
        #expect(made >= 200 - 32)
    }

    @Test("one that is too long to keep is made each time", arguments: [(1 << 14, 1), (1 << 14 + 1, 2)])
    func long(length: Int, times: Int) {
        let designs = KeptDesigns<Int, Int>()
        var made = 0
        for _ in 1...2 {
            let design = designs.design(for: 3, length: length) {
                made += 1
                return 21
            }
            #expect(design == 21)
        }
        #expect(made == times)
    }

    @Test("a refusal is not kept")
    func refused() throws {
        let designs = KeptDesigns<Int, Int>()
        #expect(throws: Refusal.self) {
            try designs.design(for: 1, length: 1) { () throws(Refusal) -> Int in throw Refusal() }
        }
        #expect(designs.design(for: 1, length: 1) { 5 } == 5)
    }

    @Test("a filter that was designed before is the same again, and no other's")
    func filters() throws {
        var all: Set<FIRDesign> = []
        for rate in [100.0, 250, 256, 1_000] {
            for band in [FilterBand.lowpass(20), .bandpass(1, 40)] {
                for window in [Window.hamming, .kaiser(beta: 5)] {
                    let first = try FIRDesign.windowed(band, taps: 201, window: window, sampleRate: rate)
                    let again = try FIRDesign.windowed(band, taps: 201, window: window, sampleRate: rate)
                    let other = try FIRDesign.windowed(band, taps: 203, window: window, sampleRate: rate)
                    #expect(first == again && other.taps.count == 203)
                    all.formUnion([first, other])
                }
            }
        }
        #expect(all.count == 4 * 2 * 2 * 2)
    }
}
