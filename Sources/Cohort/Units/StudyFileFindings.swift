import Foundation
import Pipeline
public import Study

extension StudyFolder {
    /// Checks what the study's file of settings says of parameters, of the cohort and of comparisons; nothing where there is
    /// no such file.
    public func settingsFindings() -> [StudyFinding] {
        guard let file = parametersFile else { return [] }
        var problems: [String] = []
        func look(_ read: () throws -> Void) {
            do { try read() } catch {
                let place = "\(file.relativePath): "
                let told = "\(error)"
                let problem = told.hasPrefix(place) ? String(told.dropFirst(place.count)) : told
                // What cannot be read at all is found by each of them.
                if !problems.contains(problem) { problems.append(problem) }
            }
        }
        look { _ = try Parameters(reading: file) }
        look { for pattern in try CohortMapping.read(file)?.recordings ?? [] { _ = try PathPattern(pattern) } }
        look { _ = try GroupDesign.read(file) }
        return problems.map { StudyFinding(severity: .error, path: file.lastPathComponent, problem: $0) }
    }
}
