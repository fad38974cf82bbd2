import Electrodermal
import Foundation
import Kernels
import Signals

/// eda-benchmark responses|samples FILE RATE: analyses the conductance in FILE (`Float`, µS) and prints the CPU seconds it
/// took, reading left out, and how many responses or samples there are. `scripts/bench-eda` compares.
@main
struct ElectrodermalBenchmark {
    static func main() throws {
        let words = CommandLine.arguments
        let contents = ["responses": ElectrodermalStage.Outputs.responses, "samples": .samples]
        guard words.count == 4, let content = contents[words[1]], let rate = Double(words[3]) else {
            print("usage: eda-benchmark \(contents.keys.sorted().joined(separator: "|")) FILE RATE")
            exit(2)
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: words[2]))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let start = cpuSeconds()
        var stage = try ElectrodermalStage(sampleRate: rate, computing: content)
        var (outputs, count) = ([ElectrodermalOutput](), 0)
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &outputs)
        for first in stride(from: 0, to: samples.count, by: 4_096) {
            stage.push(samples.span.extracting(first..<min(first + 4_096, samples.count)), into: &outputs)
            count += outputs.count
            outputs.removeAll(keepingCapacity: true)
        }
        stage.finish(into: &outputs)
        print(cpuSeconds() - start, count + outputs.count)
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
