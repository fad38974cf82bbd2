import Foundation
import Simulation
import Testing

@Suite struct EEGTests {
    private func parameters() -> EEGParameters {
        var parameters = EEGParameters()
        parameters.eyesClosed = [60..<120]
        return parameters
    }

    @Test func doesNotDependOnTheBlocks() {
        var whole = EEGSignal(parameters(), seed: 7)
        var cut = EEGSignal(parameters(), seed: 7)
        let expected = whole.render(0..<20_000)
        var joined = expected.map { _ in [Double]() }
        var first = 0
        for length in [1, 12, 256, 5_000, 3, 14_728] {
            for (channel, samples) in cut.render(first..<first + length).enumerated() { joined[channel] += samples }
            first += length
        }
        #expect(joined == expected)
    }

    /// Power of `samples` at a frequency.
    private func power(_ samples: ArraySlice<Double>, _ frequency: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / 256
            real += sample * cos(angle)
            imaginary += sample * sin(angle)
        }
        return (real * real + imaginary * imaginary) / Double(samples.count * samples.count) * 4
    }

    @Test func alphaIsStrongWithEyesClosed() {
        var signal = EEGSignal(parameters(), seed: 7)
        let channel = signal.render(0..<120 * 256)[3]
        let open = power(channel[10 * 256..<50 * 256], 10)
        let closed = power(channel[70 * 256..<110 * 256], 10)
        // Amplitudes of 3 and 15 µV: a quarter off for the waxing and waning.
        #expect(abs(closed.squareRoot() - 15) < 2)
        #expect(abs(open.squareRoot() - 3) < 1.5)
    }

    @Test func blinksAreWhereTheTruthHasThem() {
        var form = parameters()
        form.background = 1
        form.alpha = 0
        var signal = EEGSignal(form, seed: 7)
        let channels = signal.render(0..<120 * 256)
        let blinks = EEGSignal.blinks(form, seed: 7, until: 119)
        #expect(blinks.count > 5)
        for blink in blinks {
            let place = Int((blink * 256).rounded())
            #expect(abs(channels[1][place] - 150) < 15)
            #expect(abs(channels[0][place] - 15) < 8)
            #expect(!form.eyesClosed[0].contains(blink))
        }
    }
}
