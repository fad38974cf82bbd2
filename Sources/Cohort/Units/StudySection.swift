import Foundation
import Pipeline
import Yams

/// A part of study.yaml that tells of the cohort.
enum StudySection {
    /// Reads a section; nil where the file has none.
    /// - Parameters:
    ///   - name: its key.
    ///   - known: the entries it may have.
    ///   - advice: what it needs.
    ///   - choices: the words that may stand at a place in it, by its keys.
    ///   - check: looks at its entries before they are decoded.
    /// - Throws: `CohortError`, naming the entry, when the file cannot be read or the section makes no sense.
    static func read<Section: Decodable>(
        named name: String, known: [String], from url: URL, advice: String, choices: [String: [String]] = [:],
        check: ([String: Any]) throws -> Void = { _ in }
    ) throws -> Section? {
        do {
            let text = try WrittenFile.text(of: url)
            if let problem = WrittenYAML.problem(of: text) { throw CohortError(url, problem) }
            guard let node = try Yams.compose(yaml: text)?.mapping?[Node(name)] else { return nil }
            guard let mapping = node.mapping else {
                throw CohortError(url, "\(name): expected entries", advice: advice)
            }
            if let unknown = mapping.keys.compactMap(\.string).first(where: { !known.contains($0) }) {
                throw CohortError(
                    url, "\(name): unknown entry \(unknown)",
                    advice: "known are \(known.sorted().joined(separator: ", "))")
            }
            let section = try Yams.serialize(node: node)
            if let entries = try Yams.load(yaml: section) as? [String: Any] { try check(entries) }
            return try YAMLDecoder().decode(Section.self, from: section)
        } catch let error as CohortError {
            throw error
        } catch let error as PipelineError {
            throw CohortError(error.problem, advice: error.advice)
        } catch let error as DecodingError {
            throw CohortError(url, DecodingWords.text(error, in: name, choices: choices), advice: advice)
        } catch {
            throw CohortError(url, "is not YAML: \(error)")
        }
    }
}
