import Cohort
import Foundation
import Signals
import Study

/// Analyzes a study's runs, telling on the terminal how it goes.
enum StudyProgress {
    /// - Parameter isQuiet: results are told on standard error: standard output is for a program.
    /// - Throws: `Failure` when there is no run or some failed, each of which was named.
    static func analyze(_ analysis: StudyAnalysis, only name: RunName? = nil, isQuiet: Bool = false) throws {
        var bar: (name: RunName, bar: ProgressBar)?
        var analysis = analysis
        func tell(_ line: String) { if isQuiet { Terminal.note(line) } else { StandardOutput.tell(line) } }
        analysis.tell = { message in
            if case .progress(let name, let fraction) = message {
                if bar?.name != name { bar = (name, ProgressBar(name.stem)) }
                bar?.bar.show(fraction)
                return
            }
            bar?.bar.clear()
            bar = nil
            switch message {
            case .unchanged(let name): tell("\(name): nothing changed")
            case .finished(_, let summary): tell("\(summary)")
            case .failed(let name, let error): Terminal.complain("\(name): \(error)")
            case .progress: break
            }
        }
        let (failed, all) = try analysis.run(only: name)
        let root = analysis.study.root.relativePath
        for run in try analysis.study.interruptedRuns() {
            let file = ShellWord.quoted("\(root)/\(run.file)")
            Terminal.note("\(run.name): was not ended; repair it with: marey recover --in-place \(file)")
        }
        guard all > 0 else {
            throw Failure.nothingDone(
                "\(root): has no runs; add one with: marey study add \(ShellWord.quoted(root)) FILE --subject 01, or analyze what "
                    + "lies in a BIDS data set with: marey batch \(ShellWord.quoted(root)) RESULTS participant")
        }
        if let failure = Failure.inputs(failed: failed, of: all) { throw failure }
    }
}
