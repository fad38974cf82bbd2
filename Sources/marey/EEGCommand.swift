import ArgumentParser
import Brain
import Foundation
import Pipeline
import Quality
import Signals

struct EEGCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eeg", abstract: "EEG: features of epochs, connectivity, blinks, signal quality.",
        discussion: """
            Example: marey eeg session.xdf
                     marey eeg session.edf --table blinks --reference average

            The EEG is band-passed without delay, freed of hum and cut into epochs that never span a gap; each row says \
            how much of the epoch was there and, where a channel is not to be used, why. A file whose numbers cannot be \
            in the unit it declares is refused, with the unit that would explain them.
            """)

    enum TableChoice: String, CaseIterable, ExpressibleByArgument {
        case features, pairs, covariances, eyes, blinks, quality
    }

    enum CleanChoice: String, CaseIterable, ExpressibleByArgument {
        case none, asr
    }

    @Argument(help: "The recording.")
    var file: String

    @Option(help: "The stream: its name or its number from 0. Default: the first that holds EEG.")
    var stream: String?

    @Option(
        help: """
            What to print: features of epochs and channels, pairs (connectivity), covariances (a matrix per epoch), eyes \
            (blinks and saccades), blinks (0 or 1 per second), quality.
            """)
    var table = TableChoice.features

    @Option(
        help: """
            asRecorded, average, or electrodes separated by commas, whose mean it is (for bipolar pairs see \
            docs/eeg.md). Default: what the parameters say.
            """)
    var reference: String?

    @Option(
        help: """
            none, or asr: bursts are rebuilt by artefact subspace reconstruction, calibrated on the first clean minute. \
            Default: what the parameters say.
            """)
    var clean: CleanChoice?

    @Option(help: "What the numbers are, where the file is wrong about it: V, mV, uV or nV.")
    var unit: String?

    @Option(
        help: "The only features to compute, separated by commas, such as alphaPower,thetaBeta (default: all).")
    var indexes: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: StageParameterOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard indexes == nil || table == .features else {
            throw ValidationError(
                "--indexes names features, and --table \(table) has none of them; leave one of the two out")
        }
    }

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + parameters.files)
        var parameters = try parameters.parameters(window: "eeg.epochs.length")
        if let reference { parameters.eeg.cleaning.reference = Self.reference(reference) }
        if let clean { parameters.eeg.cleaning.removesBursts = clean == .asr }
        if let indexes {
            parameters.eeg.features.indexes = try OptionList.some(in: indexes, of: "--indexes")
            do { try parameters.validate() } catch { throw Failure.misuse("\(error)") }
        }
        let unit = unit.map { Signals.Unit($0) }
        if let unit, unit.factor(to: .microvolts) == nil {
            throw Failure.misuse("--unit \(unit) is no unit of voltage: take V, mV, uV or nV")
        }
        let bar = ProgressBar("eeg")
        let result = try BrainReading.result(
            of: URL(fileURLWithPath: file), stream: stream, unit: unit, parameters: parameters, computing: outputs,
            opening: input.open, progress: bar.show)
        bar.clear()
        result.notes.forEach { Terminal.note("note: \($0)") }
        if let remark = result.source.remark { Terminal.note(remark) }
        if result.reconstruction != nil { Terminal.note(result.summary) }
        switch table {
        case .features: try output.emit(BrainTables.epochs(result, parameters: parameters.eeg))
        case .pairs: try output.emit(BrainTables.pairs(result, parameters: parameters.eeg))
        case .covariances: try output.emit(EpochCovariance.table(result.covariances, labels: result.labels))
        case .eyes: try output.emit(EyeEvent.table(result.eyes))
        case .blinks: try output.emit(BrainTables.blinks(result))
        case .quality: try output.emit(QualityWindow.table(result.quality))
        }
    }

    private var outputs: BrainTrack.Outputs {
        switch table {
        case .features: .features
        // Of the epochs the line about what was rebuilt tells.
        case .pairs: [.features, .connectivity]
        case .covariances: [.features, .covariances]
        case .eyes, .blinks: .eyes
        case .quality: .quality
        }
    }

    private static func reference(_ text: String) -> EEGReference {
        switch text {
        case "asRecorded": .asRecorded
        case "average": .average
        default: .electrodes(OptionList.all(in: text))
        }
    }
}
