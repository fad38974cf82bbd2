import Cohort
import Foundation
import Study

/// Analyzes a study's runs, telling on the terminal how it goes.
enum StudyProgress {
    /// - Throws: `Failure` when there is no run or some failed, each of which was named.
    static func analyze(_ analysis: StudyAnalysis, only name: RunName? = nil) throws {
        var bar: (name: RunName, bar: ProgressBar)?
        var analysis = analysis
        analysis.tell = { message in
            if case .progress(let name, let fraction) = message {
                if bar?.name != name { bar = (name, ProgressBar(name.stem)) }
                bar?.bar.show(fraction)
                return
            }
            bar?.bar.clear()
            bar = nil
            switch message {
            case .unchanged(let name): print("\(name): nothing changed")
            case .finished(_, let summary): print(summary)
            case .failed(let name, let error): Terminal.complain("\(name): \(error)")
            case .progress: break
            }
        }
        let (failed, all) = try analysis.run(only: name)
        let root = analysis.study.root.relativePath
        guard all > 0 else {
            throw Failure.nothingDone(
                "\(root): has no runs; add one with: marey study add \(root) FILE --subject 01")
        }
        if let failure = Failure.inputs(failed: failed, of: all) { throw failure }
    }
}
