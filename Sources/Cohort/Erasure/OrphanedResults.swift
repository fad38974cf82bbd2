import Foundation

/// Results in a batch of recordings that their data set no longer has, and how to be rid of them.
public struct OrphanedResults {
    /// The recordings that have results.
    public private(set) var stems: [String] = []
    /// Those of them whose people have no other recordings: `marey study erase` takes all of such a person.
    public private(set) var people: [String] = []
    /// What to delete of people who are still there, relative to the output folder: folders, or files of a folder that others
    /// have results in as well.
    public private(set) var paths: [String] = []

    /// Looks at the recordings that `BatchFolder.noteOrphans` found.
    /// - Parameters:
    ///   - stems: what the data set no longer has.
    ///   - batch: where their results lie.
    ///   - dataset: all that there is now.
    public init(_ stems: [String], in batch: BatchFolder, besides dataset: CohortDataset) {
        let present = Set(dataset.units.map(\.participant)).union(dataset.refused.map(\.participant))
        let folders = Set(dataset.units.map(\.folder))
        let others = Set(dataset.units.map(\.stem)).union(stems)
        var (gone, left): (Set<String>, Set<String>) = ([], [])
        for stem in stems {
            guard let marker = batch.marker(stem), Self.hasResults(marker, in: batch) else { continue }
            self.stems.append(stem)
            let unit = marker.plan.unit
            guard present.contains(unit.participant) else {
                gone.insert(unit.participant)
                continue
            }
            if !folders.contains(where: { $0 == unit.folder || $0.hasPrefix(unit.folder + "/") }) {
                left.insert(unit.folder)
            } else if others.contains(where: { $0.hasPrefix(stem + "_") }) {
                // Names of another recording's files begin like these.
                left.insert("what .marey/batch/done/\(stem).json lists")
            } else {
                left.insert("\(unit.folder)/\(stem)_*")
            }
        }
        (people, paths) = (gone.sorted(), left.sorted())
    }

    private static func hasResults(_ marker: DoneMarker, in batch: BatchFolder) -> Bool {
        marker.outputs.contains { access(batch.root.appendingPathComponent($0.path).path, F_OK) == 0 }
    }

    /// What to do, in words.
    /// - Parameter output: the output folder as a shell takes it.
    public func advice(_ output: String) -> String {
        var parts: [String] = []
        if !people.isEmpty {
            let labels = people.count == 1 ? people[0] : "LABEL"
            parts.append(
                "marey study erase \(output) \(labels) deletes those of "
                    + (people.count == 1 ? "a person who is gone" : "each person who is gone (\(Listing.text(people)))")
            )
        }
        if !paths.isEmpty {
            parts.append(
                "of people who have other recordings delete within \(output) \(Listing.text(paths)) (marey study erase "
                    + "would delete all of the person)")
        }
        return parts.joined(separator: "; ")
    }
}
