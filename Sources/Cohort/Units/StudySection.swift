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
    /// - Throws: `CohortError`, naming the entry, when the file cannot be read or the section makes no sense.
    static func read<Section: Decodable>(
        named name: String, known: [String], from url: URL, advice: String
    ) throws -> Section? {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            throw CohortError(url, isThere ? "cannot be read as UTF-8 text" : "there is no such file")
        }
        if let excess = WrittenYAML.excess(of: text) { throw CohortError(url, excess) }
        do {
            guard let node = try Yams.compose(yaml: text)?.mapping?[Node(name)] else { return nil }
            guard let mapping = node.mapping else {
                throw CohortError(url, "\(name): expected entries", advice: advice)
            }
            if let unknown = mapping.keys.compactMap(\.string).first(where: { !known.contains($0) }) {
                throw CohortError(
                    url, "\(name): unknown entry \(unknown)",
                    advice: "known are \(known.sorted().joined(separator: ", "))")
            }
            return try YAMLDecoder().decode(Section.self, from: Yams.serialize(node: node))
        } catch let error as CohortError {
            throw error
        } catch let error as DecodingError {
            throw CohortError(url, DecodingWords.text(error, in: name), advice: advice)
        } catch {
            throw CohortError(url, "is not YAML: \(error)")
        }
    }
}
