import ArgumentParser
import Cardiac
import Foundation
import Pipeline

/// Where the parameters of a verb come from that knows neither windows of heart rate variability nor corrections of
/// intervals. People know the options of those from other verbs: they are no part of the help, and refused by name.
struct StageParameterOptions: ParsableArguments {
    @OptionGroup var corrected: CorrectedStageParameterOptions

    @Option(help: .hidden) var correction: String?

    /// The files that are read besides the recording.
    var files: [String] { corrected.files }

    /// Defaults, then `--config`.
    /// - Parameter key: where the verb's own windows are in a file of parameters; nil where it has none.
    func parameters(window key: String?) throws -> Parameters {
        guard correction == nil, corrected.window == nil, corrected.step == nil else {
            throw CorrectedStageParameterOptions.refusal("--window, --step and --correction", key)
        }
        return try corrected.parameters(window: key)
    }
}

/// The same of a verb that corrects intervals, and has the option for it.
struct CorrectedStageParameterOptions: ParsableArguments {
    @Option(help: "A YAML file with the parameters that differ from the defaults.")
    var config: String?

    @Option(help: .hidden) var window: String?

    @Option(help: .hidden) var step: String?

    /// The files that are read besides the recording.
    var files: [String] { [config].compactMap(\.self) }

    /// Defaults, then `--config`, then the method of correction.
    /// - Parameter key: where the verb's own windows are in a file of parameters; nil where it has none.
    func parameters(window key: String?, correction: CorrectionMethod? = nil) throws -> Parameters {
        guard window == nil, step == nil else { throw Self.refusal("--window and --step", key) }
        var parameters = try config.map { try Parameters(reading: URL(fileURLWithPath: $0)) } ?? Parameters()
        if let correction { parameters.correction.method = correction }
        do { try parameters.validate() } catch { throw Failure.misuse(String(describing: error)) }
        return parameters
    }

    static func refusal(_ names: String, _ key: String?) -> Failure {
        Failure.misuse(
            "\(names) are of heart rate variability"
                + (key.map { "; here it is \($0), in a file for --config" } ?? " and change nothing here"))
    }
}
