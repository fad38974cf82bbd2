import Decoding
import Foundation
public import Pipeline
import Signals

/// A model's card as a page: what it is, how good it is and what it was made of. Self-contained; the same card gives the
/// same bytes.
public struct ModelCardPage {
    private let card: ModelCard
    private let title: String
    private let software: String

    /// The page of a card.
    /// - Parameters:
    ///   - participant: the label of whose model it is; nil where it is not known.
    ///   - software: name and version of the software that writes the page.
    public init(_ card: ModelCard, participant: String?, software: String) {
        (self.card, self.software) = (card, software)
        let name = Prediction.named(card.fitted.model.prediction)?.title ?? card.fitted.model.prediction
        title = name + (participant.map { " of sub-\($0)" } ?? "")
    }

    private var report: Decoding.ValidationReport { card.fitted.report }
    private var model: DecodingModel { card.fitted.model }

    /// The page.
    public func html() -> String {
        PageShell(
            title: "Model card: \(title)", software: software,
            writeHeader: { header in
                header.element("header") { $0.element("h1", text: "Model card: \(title)") }
            },
            sections: [
                PageShell.Section(id: "summary", heading: "How good it is", write: writeScores),
                PageShell.Section(id: "pictures", heading: "Reliability and chance", write: writePictures),
                PageShell.Section(id: "data", heading: "What it was made of", write: writeData),
                PageShell.Section(id: "model", heading: "What it is", write: writeModel),
            ]
        ).html()
    }

    private func writeScores(to markup: inout Markup) {
        switch card.fitted.verdict {
        case .accepted:
            markup.element("p", [("class", "verdict good")]) { line in
                line.element("strong", text: "May be used.")
                line.text(" The two states are separated better than by chance. Quality: \(report.quality.rawValue).")
            }
        case .refused(let reason, _):
            markup.element("p", [("class", "verdict poor")]) { line in
                line.element("strong", text: "May not be used.")
                line.text(" \(reason)")
            }
        }
        func row(_ name: String, _ value: Double, _ interval: Interval?, _ chance: String) -> [String] {
            let bounds = interval.map { "\(number($0.lower)) to \(number($0.upper))" }
            return [name, number(value), bounds ?? "", chance]
        }
        HTMLTable(
            caption: "In blocks that the models of each fold had not met; intervals over resampled blocks",
            columns: [.name("score"), .number("value"), .text("95 % interval"), .number("always 0.5")],
            rows: [
                row("balanced accuracy", report.nested.balancedAccuracy, report.balancedAccuracy, "0.5"),
                row("AUC", report.nested.auc, report.auc, "0.5"),
                row("Brier score, less is better", report.nested.brier, nil, number(ValidationReport.brierOfHalf)),
                row("calibration error (ECE), less is better", report.nested.ece, nil, "0"),
                row("AUC of the last blocks, kept aside", report.heldOut.auc, nil, "0.5"),
                row("balanced accuracy of the last blocks", report.heldOut.balancedAccuracy, nil, "0.5"),
                row("p, over \(report.permutation.labellings) ways to name the blocks", report.permutation.p, nil, ""),
                row(
                    "p must be below (attempt \(report.attempt ?? 1))", report.level ?? ModelVerdict.significance, nil,
                    ""),
            ]
        ).write(to: &markup)
        writeControls(to: &markup)
    }

    private func writeControls(to markup: inout Markup) {
        guard let controls = report.controls else {
            markup.element(
                "p",
                text:
                    "Control models of muscles, eyes and head movement were not fitted: nothing of these was measured.")
            return
        }
        func row(_ name: String, _ result: PermutationResult, _ role: String) -> [String] {
            [name, number(result.observed), number(result.p), role]
        }
        var rows = [
            row("brain and artifacts", report.permutation, "must be better than chance"),
            row("artifacts regressed out", controls.regressed, "must be better than chance"),
        ]
        for source in ArtifactSource.allCases {
            let name = "\(source.explanation) alone"
            rows.append(
                controls.artifacts[source].map { row(name, $0, "must not separate the states better") }
                    ?? [name, "n/a", "n/a", "not measured"])
        }
        for (kind, name) in [(ReportedControl.behavior, "key presses alone"), (.heartRate, "heart rate alone")] {
            if let result = controls.reported[kind] { rows.append(row(name, result, "reported, decides nothing")) }
        }
        HTMLTable(
            caption:
                "Discriminants in the same folds: on the EEG, on the EEG without what muscles, eyes and head movement explain "
                + "within each fold's training blocks, and on each of these alone",
            columns: [.name("features"), .number("AUC"), .number("p"), .text("role")], rows: rows
        ).write(to: &markup)
    }

    private typealias ValidationReport = Decoding.ValidationReport

    private func writePictures(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) { figures in
            ReliabilityFigure(report.reliability, id: "reliability").figure().write(to: &figures)
            PermutationFigure(report.permutation, id: "permutation").figure().write(to: &figures)
        }
    }

    private func writeData(to markup: inout Markup) {
        HTMLTable(
            caption: "Blocks and epochs with usable EEG",
            columns: [.name("state"), .number("blocks"), .number("epochs")],
            rows: DecodedState.allCases.compactMap { state in
                report.used[state].map { [state.rawValue, "\($0.blocks)", "\($0.epochs)"] }
            }
        ).write(to: &markup)
        writePerformance(to: &markup)
        HTMLTable(
            caption: "Recordings", columns: [.name("file"), .number("bytes"), .long("SHA-256")],
            rows: card.recordings.map { [$0.file, "\($0.bytes)", $0.sha256] }
        ).write(to: &markup)
        if let labels = card.labels {
            HTMLTable(
                caption: "The blocks' file", columns: [.name("file"), .number("bytes"), .long("SHA-256")],
                rows: [[labels.file, "\(labels.bytes)", labels.sha256]]
            ).write(to: &markup)
        }
        if let blocks = card.blocks {
            HTMLTable(
                caption: "Blocks", columns: [.name("state"), .number("from, s"), .number("to, s")],
                rows: blocks.map {
                    [
                        $0.state.rawValue, NumberText.significant($0.time.lowerBound, 6),
                        NumberText.significant($0.time.upperBound, 6),
                    ]
                }
            ).write(to: &markup)
        }
    }

    private func writePerformance(to markup: inout Markup) {
        guard let performance = card.performance else { return }
        HTMLTable(
            caption: "Answers in the task",
            columns: [
                .name("state"), .number("targets"), .number("hits"), .number("other trials"), .number("false alarms"),
                .number("d′"), .number("median RT, s"),
            ],
            rows: DecodedState.allCases.compactMap { state in
                performance.states[state].map { answers in
                    [
                        state.rawValue, "\(answers.targets)", "\(answers.hits)",
                        answers.others.map { "\($0)" } ?? "n/a", "\(answers.falseAlarms)",
                        answers.dPrime.map(number) ?? "n/a", answers.medianResponseTime.map(number) ?? "n/a",
                    ]
                }
            }
        ).write(to: &markup)
    }

    private func writeModel(to markup: inout Markup) {
        let layout = model.layout
        HTMLTable(
            caption: "The model", columns: [.name("what"), .long("value")],
            rows: [
                ["prediction", model.prediction], ["members, weight", model.scorer.summary],
                ["made with", "Marey \(card.version)"], ["format", "\(model.format)"],
                ["channels", layout.labels.joined(separator: ", ")],
                ["channels left out", layout.leftOut?.joined(separator: ", ") ?? "none"],
                ["sample rate", "\(NumberText.significant(layout.sampleRate)) Hz"],
                ["features", "\(layout.names.count), version \(layout.version)"],
                ["smoothing", "\(NumberText.significant(model.smoothing)) s"],
                ["0.5 is", neutral],
                ["usual drift of its blocks", "\(number(model.baseline.usualShift)) spreads"],
            ]
        ).write(to: &markup)
        markup.element("details") { details in
            details.element("summary", text: "Names of the features")
            details.element("p", text: layout.names.joined(separator: ", "))
        }
        markup.element("details") { details in
            details.element("summary", text: "Parameters of cleaning, epochs and features")
            details.element("pre", text: parameters)
        }
    }

    /// As in the card's JSON, and as `study.yaml` names them.
    private var parameters: String {
        var all = BrainParameters()
        (all.cleaning, all.epochs, all.features) = (model.layout.cleaning, model.layout.epochs, model.layout.parameters)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return (try? encoder.encode(all)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private var neutral: String {
        guard report.used[.neutral] != nil else {
            return "the middle between the two states: the calibration had no neutral blocks"
        }
        return "where the person's neutral blocks lie (logit \(number(model.neutralShift)) before)"
    }

    private func number(_ value: Double) -> String { value.isFinite ? NumberText.significant(value, 3) : "n/a" }
}
