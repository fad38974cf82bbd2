public import ArgumentParser
public import Cardiac
import Foundation
import Pipeline

/// Where the parameters of an analysis come from: defaults, then a file, then flags.
struct ParameterOptions: ParsableArguments {
    @Option(help: "A YAML file with the parameters that differ from the defaults.")
    var config: String?

    @Option(help: "HRV window in seconds, or 'whole' for the whole recording (default 300).")
    var window: WindowLength?

    @Option(help: "Seconds between the starts of HRV windows (default 30).")
    var step: Double?

    @Option(help: "IBI correction: lipponenTarvainen, threshold, quotient or none (default lipponenTarvainen).")
    var correction: CorrectionMethod?

    /// The files that are read besides the recording.
    var files: [String] { [config].compactMap(\.self) }

    /// Defaults, then `--config` or else `standing` (a study's own file), then flags.
    func parameters(standing: URL? = nil) throws -> Parameters {
        let file = config.map { URL(fileURLWithPath: $0) } ?? standing
        var parameters = try file.map { try Parameters(reading: $0) } ?? Parameters()
        if let window { parameters.hrv.window = window.seconds }
        if let step { parameters.hrv.step = step }
        if let correction { parameters.correction.method = correction }
        do { try parameters.validate() } catch { throw Failure.misuse(String(describing: error)) }
        return parameters
    }
}

extension ParameterOptions {
    /// The options as words of a command line, with files as `path` gives them.
    func words(path: (String) -> String) -> [String] {
        var words: [String] = []
        if let config { words += ["--config", path(config)] }
        if let window { words += ["--window", window.seconds.map { "\($0)" } ?? "whole"] }
        if let step { words += ["--step", "\(step)"] }
        if let correction { words += ["--correction", correction.rawValue] }
        return words
    }
}

/// `--window`: a number of seconds, or the whole recording.
struct WindowLength: ExpressibleByArgument {
    /// nil: the whole recording.
    var seconds: Double?

    init?(argument: String) {
        if argument == "whole" {
            seconds = nil
        } else if let value = Double(argument), value > 0, value.isFinite {
            seconds = value
        } else {
            return nil
        }
    }
}

extension CorrectionMethod: ExpressibleByArgument {}
