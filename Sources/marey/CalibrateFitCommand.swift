import ArgumentParser
import Decoding
import Formats
import Foundation
import Pipeline
import Sessions
import Signals

struct CalibrateFit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit", abstract: "Fit a participant's model to a recorded calibration, and say how good it is.",
        discussion: """
            Example: marey calibrate fit my-study --subject 01 \\
                       --prediction cognitiveWorkload rest-and-task.edf \\
                       --events events.tsv --low rest --high task

            Blocks come from the recording's own markers, those of the tasks of marey serve and of a BIDS events table \
            beside it among them, or from another such table (onset, duration, trial_type); rows of one state that follow each \
            other within ten seconds are one block. A model is kept, and the \
            participant's status becomes modelsAvailable, only where the states are told apart better than by chance; \
            else the status goes back to needsCalibration, and says why. Ends with 1 then; with --json what was measured \
            is printed all the same, in fitted.report, and the reason in fitted.verdict.
            """)

    @OptionGroup var calibration: CalibrationOptions

    @Option(help: "The prediction's name, such as visualAttention.")
    var prediction: String

    @Argument(help: "The recording of the calibration.")
    var recording: String

    @Option(help: "A BIDS events table with the blocks (default: the recording's markers).")
    var events: String?

    @Option(help: "What blocks of the low state are called: rest, inattention, dislike.")
    var low = "low"

    @Option(help: "What blocks of the high state are called: load, attention, liking.")
    var high = "high"

    @Option(help: "What neutral blocks are called: there the prediction is to stand at 0.5.")
    var neutral = "neutral"

    @Option(help: "How many seconds a block lasts, at most up to the next, whose marker has no duration.")
    var block: Double?

    @Option(help: "The EEG stream: its name or its number from 0.")
    var stream: String?

    @Option(
        name: .customLong("leave-out"),
        help: "An EEG channel to leave out, such as one whose electrode was bad; once for each channel.")
    var leftOut: [String] = []

    @OptionGroup var input: InputOptions

    @Flag(help: "Print the report as JSON.")
    var json = false

    func run() throws {
        let prediction = try CalibratedPrediction.named(self.prediction)
        if let other = namedParticipant, try CalibrationDesk.participant(calibration.subject) != other {
            Terminal.note(
                "\(recording) is called after sub-\(other), and its model becomes that of \(calibration.subject)")
        }
        let bar = ProgressBar("EEG")
        let fitting = try CalibrationFitting(calibration.desk(), parameters: calibration.parameters())
        let outcome = try fitting.fit(
            prediction, of: calibration.subject, to: URL(fileURLWithPath: recording), stream: stream, spans: spans,
            labels: events.map { URL(fileURLWithPath: $0) }, leavingOut: leftOut, at: .now, opening: input.open,
            remark: {
                bar.clear()
                Terminal.note($0)
            }, progress: bar.show)
        bar.clear()
        switch outcome {
        case .accepted(let card, let file):
            if json {
                try OutputOptions.tellJSON(card)
            } else {
                StandardOutput.tell("\(card.summary)\nkept in \(file)")
            }
        case .refused(let text, let reason, let card):
            if json, let card {
                try OutputOptions.emitJSON(card)
            } else if json {
                // As far as the card of a model that could not even be fitted would go.
                try OutputOptions.emitJSON(["fitted": ["verdict": ModelVerdict.refused(text, reason: reason)]])
            }
            throw Failure(code: ExitStatus.someFailed, message: text)
        }
    }

    /// The participant after whom the recording or its folder is called, as BIDS does; nil where it is called otherwise.
    private var namedParticipant: String? {
        let names = URL(fileURLWithPath: recording).standardizedFileURL.pathComponents.reversed()
        return names.lazy.compactMap { name -> String? in
            guard name.hasPrefix("sub-") else { return nil }
            return name.split(separator: "_").first.flatMap { CalibrationOptions.label(String($0)) }
        }.first
    }

    /// The blocks of the events table or the markers, else of the task that the page of `marey serve` runs.
    private func spans(_ markers: [Marker]) throws -> (spans: [CalibrationSpan], pause: Seconds) {
        let found =
            try events.map {
                try BIDSEvents.markers(of: URL(fileURLWithPath: $0), in: URL(fileURLWithPath: recording))
            } ?? markers
        guard Set([low, high, neutral]).count == 3 else {
            throw Failure.misuse("--low, --high and --neutral must differ: \(low), \(high), \(neutral)")
        }
        if let block, !(block > 0 && block.isFinite) { throw Failure.misuse("--block must be above 0 s") }
        let spans = blocks(among: found)
        if events == nil, spans.isEmpty {
            let ofTask = TaskSpans(markers, prediction: prediction).spans
            if !ofTask.isEmpty { return (ofTask, 0) }
        }
        for (name, state) in [(low, DecodedState.low), (high, .high)]
        where !spans.contains(where: { $0.state == state }) {
            throw Failure.misuse(complaint(name, found))
        }
        tellOfDropped(found, spans)
        return (spans, CalibrationBlock.pause)
    }

    private func blocks(among markers: [Marker]) -> [CalibrationSpan] {
        let states = [low: DecodedState.low, high: .high, neutral: .neutral]
        let named = markers.filter { states[$0.label] != nil }.sorted { $0.onset < $1.onset }
        return named.enumerated().compactMap { place, marker in
            guard let state = states[marker.label] else { return nil }
            var end = marker.onset + marker.duration
            if !(marker.duration > 0), let block {
                let next = named[(place + 1)...].first { $0.onset > marker.onset }?.onset ?? .infinity
                end = min(marker.onset + block, next)
            }
            return end > marker.onset ? CalibrationSpan(state: state, time: marker.onset..<end) : nil
        }
    }

    /// Says how many rows or markers became no block, as they have no duration.
    private func tellOfDropped(_ markers: [Marker], _ spans: [CalibrationSpan]) {
        let named = markers.count { [low, high, neutral].contains($0.label) }
        guard named > spans.count else { return }
        Terminal.note(
            "\(named - spans.count) of \(named) rows or markers of the blocks have no duration above 0 and are left out: "
                + "say with --block how many seconds each lasts")
    }

    /// Why a state has no blocks, and what to do.
    private func complaint(_ name: String, _ markers: [Marker]) -> String {
        guard !markers.contains(where: { $0.label == name }) else {
            return "no block called \(name) has a duration: say with --block how many seconds each lasts"
        }
        let labels = Set(markers.map(\.label)).sorted().prefix(20).joined(separator: ", ")
        return "no block is called \(name); there are: " + (labels.isEmpty ? "no markers" : labels)
            + ". Name the blocks with --low, --high and --neutral"
    }
}
