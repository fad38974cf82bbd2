import ArgumentParser
import Cardiac
import Foundation
import Pipeline

/// Where the parameters of respiration come from: defaults, then a file, then flags.
struct RespirationOptions: ParsableArguments {
    @Option(help: "A YAML file with the parameters that differ from the defaults.")
    var config: String?

    @Option(help: "Respiration window in seconds, 20 to 600 (default 60; respiration.window in a file).")
    var window: Double?

    @Option(
        help: "Seconds between the starts of respiration windows, 1 to 600 (default 10; respiration.step in a file).")
    var step: Double?

    @Option(help: "IBI correction: lipponenTarvainen, threshold, quotient or none (default lipponenTarvainen).")
    var correction: CorrectionMethod?

    /// The files that are read besides the recording.
    var files: [String] { [config].compactMap(\.self) }

    /// Defaults, then `--config`, then flags.
    func parameters() throws -> Parameters {
        var parameters = try config.map { try Parameters(reading: URL(fileURLWithPath: $0)) } ?? Parameters()
        if let window { parameters.respiration.window = window }
        if let step { parameters.respiration.step = step }
        if let correction { parameters.correction.method = correction }
        do { try parameters.validate() } catch { throw Failure.misuse(String(describing: error)) }
        return parameters
    }
}
