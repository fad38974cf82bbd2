import Foundation
import Kernels
import TestSupport
import Testing

/// The transform by its definition.
private func definition(_ x: [Double]) -> Spectrum<Double> {
    let n = x.count
    let table = (0..<n).map {
        (cos(2 * Double.pi * Double($0) / Double(n)), sin(2 * Double.pi * Double($0) / Double(n)))
    }
    var (real, imaginary) = ([Double](), [Double]())
    for k in 0...n / 2 {
        var (re, im) = (0.0, 0.0)
        for t in 0..<n {
            let (c, s) = table[k * t % n]
            re += x[t] * c
            im -= x[t] * s
        }
        real.append(re)
        imaginary.append(im)
    }
    return Spectrum(real: real, imaginary: imaginary)
}

private let lengths =
    Array(1...40) + [45, 48, 49, 60, 64, 72, 75, 80, 81, 96, 97, 100, 101, 120, 125, 128, 127, 144, 150, 160, 192, 200]
    + [211, 240, 243, 250, 256, 300, 320, 337, 360, 375, 384, 400, 480, 500, 512, 600, 625, 640, 729, 768, 1000, 1021]

@Suite struct FourierTests {
    @Test(arguments: lengths)
    func agreesWithTheDefinition(length: Int) {
        let x = noise(length, seed: UInt64(length))
        let expected = definition(x)
        // Of the largest value: doubles 2e-14, by the chirp 1e-13; floats 2e-6.
        let found = RealFFT<Double>(length: length).forward(x)
        expectClose(found.real, expected.real, 1e-13, "real part, \(length)")
        expectClose(found.imaginary + [expected.real[0]], expected.imaginary + [expected.real[0]], 1e-13)
        let floats = RealFFT<Float>(length: length).forward(x.map(Float.init))
        let scale = zip(expected.real, expected.imaginary).reduce(0) { max($0, hypot($1.0, $1.1)) }
        for bin in expected.real.indices {
            #expect(abs(Double(floats.real[bin]) - expected.real[bin]) <= 2e-6 * scale)
            #expect(abs(Double(floats.imaginary[bin]) - expected.imaginary[bin]) <= 2e-6 * scale)
        }
    }

    @Test(arguments: lengths + [2048, 4096, 10_000, 4099])
    func inverseGivesTheSignalBack(length: Int) {
        let x = noise(length, seed: 9)
        let plan = RealFFT<Double>(length: length)
        expectClose(plan.inverse(plan.forward(x)), x, 1e-13, "\(length)")
        let floats = RealFFT<Float>(length: length)
        let back = floats.inverse(floats.forward(x.map(Float.init)))
        expectClose(back.map(Double.init), x, 3e-6, "floats, \(length)")
    }

    @Test(arguments: [16, 97, 360, 1024, 1250, 4096])
    func powerIsKept(length: Int) {
        let x = noise(length)
        let power = RealFFT<Double>(length: length).forward(x).power
        let last = length % 2 == 0 ? power[length / 2] : 0
        let total = (2 * power.reduce(0, +) - power[0] - last) / Double(length)
        #expect(abs(total / x.reduce(0) { $0 + $1 * $1 } - 1) < 1e-13)
    }

    @Test(arguments: [(1, 4), (2, 2), (37, 10), (64, 16), (97, 97), (256, 128), (1000, 250)])
    func rowsDoNotDependOnOneAnother(length: Int, stride: Int) {
        let rows = 19
        let x = noise((rows - 1) * stride + length).map(Float.init)
        let taper = Window.hann.periodic(length).map(Float.init)
        let plan = RealFFT<Float>(length: length)
        func transform(_ first: Int, _ count: Int) -> Spectrum<Float> {
            var real = [Float](repeating: .nan, count: count * plan.bins)
            var imaginary = real
            var realSpan = real.mutableSpan
            var imaginarySpan = imaginary.mutableSpan
            plan.forward(
                rowsOf: x.span.extracting((first * stride)...), count: count, stride: stride, taper: taper,
                real: &realSpan, imaginary: &imaginarySpan)
            return Spectrum(real: real, imaginary: imaginary)
        }
        let all = transform(0, rows)
        var power = [Float](repeating: .nan, count: rows * plan.bins)
        var span = power.mutableSpan
        plan.power(rowsOf: x.span, count: rows, stride: stride, taper: taper, into: &span)
        #expect(power == all.power)
        for row in 0..<rows {
            let range = row * plan.bins..<(row + 1) * plan.bins
            #expect(transform(row, 1).real.elementsEqual(all.real[range]))
            #expect(transform(row, 1).imaginary.elementsEqual(all.imaginary[range]))
            let samples = zip(x[row * stride..<row * stride + length], taper).map { Double($0 * $1) }
            expectClose(all.real[range].map(Double.init), definition(samples).real, 5e-6, "row \(row)")
        }
    }

    @Test func impulseIsFlatAndToneIsOneLine() {
        let plan = RealFFT<Float>(length: 512)
        let impulse = plan.forward([1] + [Float](repeating: 0, count: 511))
        #expect(impulse.real.allSatisfy { $0 == 1 } && impulse.imaginary.allSatisfy { $0 == 0 })
        let tone = plan.forward((0..<512).map { Float(cos(2 * Double.pi * 37 * Double($0) / 512)) })
        #expect(abs(tone.real[37] - 256) < 1e-3)
        #expect(tone.power.enumerated().allSatisfy { $0.offset == 37 || $0.element < 1e-6 })
        #expect(plan.frequencies(sampleRate: 256)[37] == 18.5)
    }
}
