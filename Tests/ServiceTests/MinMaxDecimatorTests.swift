import Service
import Signals
import TestSupport
import Testing

struct MinMaxDecimatorTests {
    private func bins(_ samples: [Float], channels: Int = 1, cuts: [Int] = []) -> [Float] {
        var decimator = MinMaxDecimator(channelCount: channels, sampleRate: 250, to: 100)
        let block = SampleBlock(channelCount: channels, samples: samples)
        var from = 0
        for cut in cuts.sorted() + [block.frameCount] where cut > from {
            decimator.push(block.frames(from..<cut))
            from = cut
        }
        decimator.flush()
        return decimator.take()
    }

    @Test func everyBinHoldsItsLeastAndGreatest() {
        #expect(bins([3, 1, 2, 5, 9, 4, -1]) == [1, 3, 4, 9, -1, -1])
    }

    @Test func missingSamplesAreLeftOutAndAnEmptyBinIsMissing() {
        let found = bins([.nan, 2, 1, .nan, .nan, .nan, 7, .nan, 8])
        #expect(found[0...1] == [1, 2])
        #expect(found[2].isNaN && found[3].isNaN)
        #expect(found[4...5] == [7, 8])
    }

    @Test func channelsStayApart() {
        #expect(bins([1, 2, 3, 4, 9, 8, 7, 6], channels: 2) == [1, 3, 4, 4, 7, 9, 6, 6])
    }

    @Test func theCutDoesNotMatter() {
        var random = SplitMix64(seed: 5)
        let samples = (0..<400).map { _ in Float.random(in: -1...1, using: &random) }
        let whole = bins(samples, channels: 2)
        for _ in 0..<50 {
            let cuts = (0..<Int.random(in: 1...20, using: &random)).map { _ in Int.random(in: 1..<200, using: &random) }
            #expect(bins(samples, channels: 2, cuts: cuts) == whole)
        }
    }
}
