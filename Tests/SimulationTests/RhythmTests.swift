import Foundation
import Simulation
import Testing

@Suite struct RhythmTests {
    /// Power of the RR series within a band, in ms²: the Fourier integral over the beats' own times.
    func power(_ beats: [SimulatedBeat], _ band: Range<Double>) -> Double {
        let length = beats.last!.onset - beats[0].onset
        let mean = length / Double(beats.count - 1)
        var total = 0.0
        for bin in 1... {
            let frequency = Double(bin) / length
            if frequency >= band.upperBound { break }
            guard band.contains(frequency) else { continue }
            var re = 0.0
            var im = 0.0
            for index in 1..<beats.count - 1 {
                let weight = (beats[index + 1].onset - beats[index - 1].onset) / 2
                let value = (beats[index].interval - mean) * 1_000 * weight
                re += value * cos(2 * .pi * frequency * beats[index].onset)
                im += value * sin(2 * .pi * frequency * beats[index].onset)
            }
            total += 2 * (re * re + im * im) / (length * length)
        }
        return total
    }

    @Test(arguments: HeartRateVariability.Shape.allCases)
    func `the RR series has the powers asked for`(shape: HeartRateVariability.Shape) {
        var parameters = HeartRhythmParameters()
        parameters.variability.shape = shape
        let beats = Array(HeartRhythm(parameters, seed: 3).prefix(shape == .tones ? 2_100 : 12_000))
        #expect(abs(power(beats, 0.003..<0.04) / 200 - 1) < 0.03)
        #expect(abs(power(beats, 0.04..<0.15) / 450 - 1) < 0.03)
        #expect(abs(power(beats, 0.15..<0.40) / 312.5 - 1) < 0.03)
    }

    @Test func `without variability every interval is the mean`() {
        var parameters = HeartRhythmParameters()
        parameters.meanRate = 75
        parameters.variability.vlf = 0
        parameters.variability.lf = 0
        parameters.variability.hf = 0
        for beat in HeartRhythm(parameters, seed: 1).prefix(500) { #expect(abs(beat.interval - 0.8) < 1e-9) }
    }

    @Test func `ventricular beats come early and are followed by a compensatory pause`() {
        var parameters = HeartRhythmParameters()
        parameters.ventricular.perHour = 300
        let beats = Array(HeartRhythm(parameters, seed: 5).prefix(5_000))
        let places = beats.indices.dropFirst().dropLast().filter { beats[$0].kind == .ventricular }
        let expected = 300 * beats.last!.onset / 3_600
        #expect(abs(Double(places.count) - expected) < 4 * expected.squareRoot())
        for place in places {
            #expect(!beats[place].hasPWave)
            #expect(beats[place].interval < 0.75 * beats[place - 1].interval + 0.1)
            #expect(abs(beats[place].interval + beats[place + 1].interval - 2 * 60 / 70) < 0.25)
        }
    }

    @Test func `supraventricular beats reset the sinus node`() {
        var parameters = HeartRhythmParameters()
        parameters.supraventricular.perHour = 300
        let beats = Array(HeartRhythm(parameters, seed: 5).prefix(2_000))
        let places = beats.indices.dropLast().filter { beats[$0].kind == .supraventricular }
        #expect(places.count > 50)
        for place in places { #expect(abs(beats[place + 1].interval - 60 / 70.0) < 0.15) }
    }

    @Test func `episodes change the rhythm where they are and only there`() {
        var parameters = HeartRhythmParameters()
        parameters.episodes = [
            RhythmEpisode(onset: 60, duration: 60, kind: .atrialFibrillation),
            RhythmEpisode(onset: 180, duration: 8, kind: .asystole),
            RhythmEpisode(onset: 240, duration: 60, kind: .bigeminy),
        ]
        let beats = Array(HeartRhythm(parameters, seed: 9).prefix { $0.onset < 400 })
        func spread(_ range: Range<Double>) -> Double {
            let values = beats.filter { range.contains($0.onset) }.map(\.interval)
            let mean = values.reduce(0, +) / Double(values.count)
            return (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)).squareRoot() / mean
        }
        #expect(spread(2..<60) < 0.06)
        #expect(spread(61..<120) > 0.15)
        #expect(!beats.contains { (180..<188).contains($0.onset) })
        #expect(beats.filter { (240..<300).contains($0.onset) && $0.kind == .ventricular }.count > 25)
        #expect(!beats.contains { !(240..<301).contains($0.onset) && $0.kind == .ventricular })
        #expect(zip(beats, beats.dropFirst()).allSatisfy { $1.onset - $0.onset >= 0.2 })
    }
}
