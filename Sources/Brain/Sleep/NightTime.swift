import Foundation
public import Signals

/// The part of a recording that is in the night, from 21:00 to 09:00 local time.
public enum NightTime {
    /// Hours of local time from midnight at which the night begins and ends.
    public static let hours = 21.0...33.0
    private static let slotsPerDay = Int(86_400 / SleepEpoch.length)

    /// Seconds of epochs with a label within the night. Where the time of day is not known, the minimum over all times at
    /// which the recording may have begun.
    /// - Parameter localStart: the start by local clocks, as `RecordingHeader.localStart` has it.
    public static func duration(of epochs: [SleepEpoch], localStart: Timestamp?) -> Seconds {
        let told = epochs.filter { $0.asleep != nil && $0.onset.isPlaceable }
        // By time of day, counted from the recording's start.
        var slots = Array(repeating: 0, count: slotsPerDay)
        let start = localStart.map { ($0.secondsSince1970 / SleepEpoch.length).rounded(.down) } ?? 0
        for epoch in told {
            let slot = (epoch.onset / SleepEpoch.length).rounded() + start
            let ofDay = slot - (slot / Double(slotsPerDay)).rounded(.down) * Double(slotsPerDay)
            slots[Int(ofDay) % slotsPerDay] += 1
        }
        let (first, last) = (Int(hours.lowerBound * 120), Int(hours.upperBound * 120))
        func count(from shift: Int) -> Int {
            (first..<last).reduce(0) { $0 + slots[($1 + shift) % slotsPerDay] }
        }
        guard localStart == nil else { return Double(count(from: 0)) * SleepEpoch.length }
        // The window over the day slides by one slot at a time.
        var (sum, least) = (count(from: 0), Int.max)
        for shift in 0..<slotsPerDay {
            least = min(least, sum)
            sum += slots[(last + shift) % slotsPerDay] - slots[(first + shift) % slotsPerDay]
        }
        return Double(least) * SleepEpoch.length
    }
}
