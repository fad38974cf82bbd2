import Cardiac
import Foundation
import Signals

/// cardiac-benchmark FILE RATE [CHUNK]: detects the beats of the ECG in FILE (16-bit integers; -32768 is missing) at RATE
/// Hz, pushed CHUNK samples at a time. Prints the CPU seconds it took, reading left out, how many beats there are, and
/// a number that depends on every bit of them. `scripts/bench` compares.
@main
struct CardiacBenchmark {
    static func main() throws {
        try run(CommandLine.arguments)
    }

    private static func run(_ words: [String]) throws {
        guard 3...4 ~= words.count, let rate = Double(words[2]), let chunk = words.count == 4 ? Int(words[3]) : 4_096,
            chunk > 0
        else {
            print("usage: cardiac-benchmark FILE RATE [CHUNK]")
            exit(2)
        }
        let samples = try samples(of: words[1])
        let start = cpuSeconds()
        var detector = ECGBeatDetector(sampleRate: rate)
        var (beats, count, checksum) = ([Beat](), 0, Checksum())
        func take() {
            for beat in beats { checksum.add(beat) }
            count += beats.count
            beats.removeAll(keepingCapacity: true)
        }
        detector.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &beats)
        for first in stride(from: 0, to: samples.count, by: chunk) {
            detector.push(samples.span.extracting(first..<min(first + chunk, samples.count)), into: &beats)
            take()
        }
        detector.finish(into: &beats)
        take()
        print(cpuSeconds() - start, count, String(checksum.value, radix: 16))
    }

    private static func samples(of file: String) throws -> [Float] {
        try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).map { $0 == .min ? .nan : Float(Int16(littleEndian: $0)) }
        }
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// FNV-1a over what beats are made of, eight bytes at a time.
    private struct Checksum {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ beat: Beat) {
            add(beat.onset.bitPattern)
            add(UInt64(bitPattern: Int64(beat.sample)))
            add(UInt64(beat.confidence.bitPattern))
            add(beat.followsBreak ? 1 : 0)
        }

        private mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }
    }
}
