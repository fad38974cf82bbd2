import Brain
import Decoding
import Foundation
import Kernels

/// decoding-benchmark MANIFEST: fits a model to a calibration and prints its report as JSON with the CPU seconds of the
/// fit. `scripts/bench-decoding` compares.
@main
struct DecodingBenchmark {
    struct Manifest: Decodable {
        struct Block: Decodable {
            var state: DecodedState
            var first: Int
            var count: Int
        }
        /// Raw samples, `Float`, frame after frame.
        var samples: String
        var labels: [String]
        var rate: Double
        var blocks: [Block]
    }

    struct Result: Encodable {
        var report: ValidationReport
        var members: String
        var verdict: ModelVerdict
        var seconds: Double
    }

    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: decoding-benchmark MANIFEST")
            exit(2)
        }
        let url = URL(fileURLWithPath: CommandLine.arguments[1])
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: url))
        let data = try Data(contentsOf: URL(fileURLWithPath: manifest.samples))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let layout = try FeatureLayout(labels: manifest.labels, sampleRate: manifest.rate)
        var assembly = try FeatureAssembly(layout)
        let blocks = manifest.blocks.map { block in
            CalibrationBlock(state: block.state, epochs: epochs(block, samples, manifest, &assembly))
        }
        let start = cpuSeconds()
        let fitted = try ModelFitting().fit(blocks, prediction: "cognitiveWorkload", layout: layout)
        let result = Result(
            report: fitted.report, members: fitted.model.scorer.summary, verdict: fitted.verdict,
            seconds: cpuSeconds() - start)
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(result))
    }

    private static func epochs(
        _ block: Manifest.Block, _ samples: [Float], _ manifest: Manifest, _ assembly: inout FeatureAssembly
    ) -> [DecodableEpoch] {
        let (channels, frames) = (manifest.labels.count, Int(2 * manifest.rate))
        var result: [DecodableEpoch] = []
        for first in stride(from: block.first, through: block.first + block.count - frames, by: frames / 2) {
            let rows = (0..<channels).flatMap { channel in
                (first..<first + frames).map { samples[$0 * channels + channel] }
            }
            let states = [Epoch.ChannelState](repeating: Epoch.ChannelState(), count: channels)
            result.append(
                assembly.decodable(
                    Epoch(
                        onset: Double(first) / manifest.rate, duration: 2, sampleRate: manifest.rate, samples: rows,
                        channels: states)))
        }
        return result
    }

    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
