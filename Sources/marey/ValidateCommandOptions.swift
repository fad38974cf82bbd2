import ArgumentParser
import Foundation
import Pipeline

/// How `marey validate` scores.
struct ScoringOptions: ParsableArguments {
    @Option(
        name: [.customLong("annotations"), .customLong("annotator")],
        help: "Extension of the reference annotation files, such as atr (default: the most trustworthy with beats).")
    var annotator: String?

    @Flag(
        name: .customLong("ec57"),
        help: "ANSI/AAMI EC57: from minute 5, without paced records and ventricular flutter, within 150 ms.")
    var isEC57 = false

    @Option(help: "Tolerances in milliseconds, separated by commas (default 150,50,20).")
    var tolerance: String?

    @Option(help: "Leave out what comes before, in seconds.")
    var start: Double?

    @Option(help: "Leave out what comes after, in seconds.")
    var stop: Double?

    @Flag(help: "Leave out ventricular flutter and fibrillation: from [ to ], and flutter waves.")
    var excludeFlutter = false

    @Flag(help: "Leave out records with paced beats.")
    var excludePaced = false

    @Option(help: "Where beats are sought: default (as marey beats does), or each channel by itself.")
    var leads = LeadChoice.default

    /// Which channels are scored.
    enum LeadChoice: String, CaseIterable, ExpressibleByArgument {
        /// What `marey beats` does with the recording.
        case `default`
        /// Every channel of the stream, one by one.
        case each
    }

    func request(_ source: SourceRequest) throws -> BeatValidation.Request {
        var request = BeatValidation.Request()
        request.annotator = annotator.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        request.source = source
        request.scoresEachChannel = leads == .each
        guard leads != .each || source.channel == nil else {
            throw Failure.misuse("--channel names one channel, --leads each wants all: leave one out")
        }
        request.tolerances = try tolerances()
        request.convention = try convention()
        return request
    }

    private func tolerances() throws -> [Double] {
        let text = tolerance ?? (isEC57 ? "150" : "150,50,20")
        let milliseconds = OptionList.numbers(in: text)
        guard !milliseconds.isEmpty, milliseconds.allSatisfy({ $0 >= 0 && $0 <= 10_000 }) else {
            throw Failure.misuse("--tolerance is '\(text)'; it must be milliseconds such as 150,50,20")
        }
        var taken: Set<Double> = []
        return milliseconds.filter { taken.insert($0).inserted }.map { $0 / 1_000 }
    }

    private func convention() throws -> ScoringConvention {
        guard !isEC57 else {
            guard start == nil, stop == nil else {
                throw Failure.misuse("--ec57 says itself which part counts: leave out --start and --stop")
            }
            return .ec57
        }
        let first = start ?? 0
        guard first >= 0, first.isFinite, stop.map({ $0 > first }) ?? true else {
            throw Failure.misuse("--start must be at least 0 and below --stop")
        }
        return ScoringConvention(
            start: first, stop: stop, excludesFlutter: excludeFlutter, excludesPaced: excludePaced)
    }
}
