import ArgumentParser
import Cohort
import Foundation
import Signals
import Simulation

struct SimulateCohort: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cohort", abstract: "Write a data set of many people whose differences and effects are known.",
        discussion: """
            Example: marey simulate cohort demo-cohort --seed 7

            ECG, BVP, EDA and four channels of EEG at rest and under stress, as a BIDS data set. truth.tsv holds what \
            was put in; some recordings have the faults of real life: a dead battery, a lost stretch, a sensor that is \
            off, a clock that was never set, an empty list of intervals. The same seed gives the same bytes.
            """)

    @Argument(help: "The folder to make.")
    var folder: String

    @Option(help: "Seed of all randomness.")
    var seed: UInt64 = 1

    @Option(help: "How many take part.")
    var participants = 24

    @Option(help: "How often each of them comes.")
    var sessions = 2

    @Option(help: "Seconds of each recording.")
    var duration = 300.0

    @Option(help: "Signals to record: ecg, bvp, eda, eeg, separated by commas.")
    var signals = "ecg,bvp,eda,eeg"

    @Option(help: "Tasks of each session: rest, stress, or both, separated by a comma.")
    var tasks = "rest,stress"

    @Flag(inversion: .prefixedNo, help: "Let some recordings have faults.")
    var faults = true

    func run() throws {
        var parameters = CohortParameters()
        guard (1...9_999).contains(participants), (1...99).contains(sessions), duration >= 10, duration <= 86_400 else {
            throw Failure.misuse("participants are 1 to 9999, sessions 1 to 99, and a recording lasts 10 s to 24 h")
        }
        (parameters.participants, parameters.sessions, parameters.seed) = (participants, sessions, seed)
        (parameters.duration, parameters.hasFaults) = (duration, faults)
        parameters.signals = Set(OptionList.all(in: signals))
        guard !parameters.signals.isEmpty, parameters.signals.isSubset(of: CohortParameters().signals) else {
            throw Failure.misuse("--signals is '\(signals)'; known are ecg, bvp, eda, eeg")
        }
        let wanted = OptionList.all(in: tasks)
        parameters.conditions = CohortParameters().conditions.filter { wanted.contains($0.task) }
        guard !wanted.isEmpty, parameters.conditions.map(\.task).sorted() == wanted.sorted() else {
            throw Failure.misuse("--tasks is '\(tasks)'; known are rest, stress, each at most once")
        }
        let cohort = SimulatedCohort(parameters)
        let bar = ProgressBar("simulating")
        defer { bar.clear() }
        try SimulatedDataset(cohort, in: URL(fileURLWithPath: folder, isDirectory: true)).write(progress: bar.show)
        bar.clear()
        Terminal.note("wrote \(folder): \(cohort.members.count.counted("recording")); truth in \(folder)/truth.tsv")
    }
}
