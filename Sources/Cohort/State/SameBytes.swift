import Foundation
import Pipeline

/// Recordings with different labels that are made of the same bytes, as where a file was copied under another name.
struct SameBytes {
    /// The recordings of each content that several have, in order.
    let groups: [[CohortUnit]]

    /// The recordings among those that are done whose largest files hold the same bytes.
    init(_ markers: [DoneMarker]) {
        var units: [String: [CohortUnit]] = [:]
        for marker in markers {
            guard let inputs = marker.inputs, inputs.count == marker.plan.unit.files.count,
                let largest = zip(marker.plan.unit.files, inputs).max(by: { $0.0.bytes < $1.0.bytes }),
                largest.0.bytes > 0
            else { continue }
            units[largest.1, default: []].append(marker.plan.unit)
        }
        groups = units.values.filter { $0.count > 1 }.map { $0.sorted { $0.stem < $1.stem } }
            .sorted { $0[0].stem < $1[0].stem }
    }

    /// A line for each content, of many the first ones and how many more there are.
    var lines: [String] {
        let lines = groups.prefix(Self.most).map { units in
            let files = units.map { "\($0.recording) (\($0.stem))" }
            return
                "the same bytes under \(units.count) labels: \(Listing.text(files)); a recording counts once for each: take out "
                + "what is a copy"
        }
        let more = groups.count - lines.count
        return lines + (more > 0 ? ["the same bytes under several labels: \(more) more recordings"] : [])
    }

    private static let most = 8
}

extension BatchPlan {
    /// A line for each recording that has several labels, among those that are done.
    public var sameBytes: [String] { SameBytes(entries.filter { $0.state == .done }.compactMap(\.marker)).lines }
}
