import Cardiac
import Electrodermal
import Formats
import Foundation
import Kernels
import Pipeline
import Signals

/// The accepted intervals that an index of a condition rests on.
struct AcceptedData: Hashable {
    /// The value; nil where there are fewer seconds than it needs, or where its formula is undefined.
    var value: Double?
    /// Seconds of accepted intervals within the condition.
    var seconds: Seconds
    /// The seconds that it needs.
    var minimum: Seconds
    /// Seconds that the condition lasts in all.
    var duration: Seconds
    /// The number of intervals.
    var count: Int

    /// True where there are too few seconds.
    var isShort: Bool { seconds < minimum }
}

/// A condition of a recording, analyzed as a recording of its own: its windows begin with each of its parts.
struct ConditionPart {
    /// The name of the condition.
    let condition: String
    /// Tables of windows, one for each part of the condition, as text.
    let windows: [[UInt8]]
    /// The indexes over all accepted intervals of the condition, by name.
    var pooled: [String: AcceptedData] = [:]

    /// Parts of conditions in which windows lie, in order of the conditions' names.
    private static func each(_ events: ConditionEvents) -> [(condition: String, parts: [Range<Seconds>])] {
        events.parts.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// A part that is long enough to have windows.
    private static func isLong(_ part: Range<Seconds>) -> Bool {
        part.upperBound - part.lowerBound >= ConditionEvents.shortest - ConditionEvents.tolerance
    }

    /// The heart-rate variability of each condition.
    /// - Parameters:
    ///   - intervals: the recording's table of intervals after correction.
    ///   - quality: its table of signal quality; nil without one.
    ///   - areMeasured: whether a device measured the intervals.
    static func variability(
        _ intervals: TextTable, quality: TextTable?, areMeasured: Bool, _ events: ConditionEvents,
        _ parameters: Parameters
    ) throws -> [ConditionPart] {
        let variability = try ConditionVariability(
            intervals: intervals, quality: quality, areMeasured: areMeasured, parameters: parameters)
        return try each(events).map { condition, parts in
            let accepted = variability.accepted(within: parts)
            let pooled = accepted.values(parameters.hrv).map { index, minimum, value in
                (
                    index.name,
                    AcceptedData(
                        value: value, seconds: accepted.seconds, minimum: minimum, duration: accepted.duration,
                        count: accepted.count)
                )
            }
            return ConditionPart(
                condition: condition,
                windows: try parts.filter(isLong).map { TSV.encode(try variability.windows(within: $0)) },
                pooled: Dictionary(uniqueKeysWithValues: pooled))
        }
    }

    /// The level and responses of skin conductance of each condition.
    /// - Parameters:
    ///   - samples: the recording's table of samples.
    ///   - responses: its table of responses.
    static func skinConductance(
        _ samples: TextTable, _ responses: TextTable, _ events: ConditionEvents, _ parameters: Parameters
    ) throws -> [ConditionPart] {
        let (onsets, tonic) = (try samples.numbers("onset"), try samples.numbers("tonic"))
        let artefacts = try samples.numbers("artefact")
        let all = onsets.indices.map { row in
            ElectrodermalSample(
                onset: onsets[row], raw: .nan, conductance: .nan, tonic: Float(tonic[row]), phasic: .nan,
                isArtefact: artefacts[row] > 0)
        }
        let (begins, amplitudes) = (try responses.numbers("onset"), try responses.numbers("amplitude"))
        let doubts = try responses.numbers("artefact")
        let found = begins.indices.map { row in
            SkinConductanceResponse(
                onset: begins[row], peak: begins[row], amplitude: amplitudes[row], level: .nan,
                isDoubtful: doubts[row] > 0)
        }
        guard let rate = rate(onsets) else { return [] }
        return each(events).map { condition, parts in
            let windows = parts.filter(isLong).map { part in
                TSV.encode(
                    ElectrodermalWindow.table(
                        ElectrodermalWindow.windows(
                            all.filter { part.contains($0.onset) }, found.filter { part.contains($0.onset) },
                            length: parameters.eda.window, rate: rate, origin: part.lowerBound)))
            }
            return ConditionPart(condition: condition, windows: windows)
        }
    }

    /// Samples per second, by the steps that are no gaps; nil for fewer than two samples.
    private static func rate(_ onsets: [Double]) -> Double? {
        let steps = zip(onsets.dropFirst(), onsets).map { $0 - $1 }.filter { $0 > 0 }
        guard !steps.isEmpty else { return nil }
        let longest = 1.5 * Statistics.median(steps)
        let plain = steps.filter { $0 < longest }
        return Double(plain.count) / plain.reduce(0, +)
    }
}
