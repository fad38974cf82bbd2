import Formats
import Foundation
import Pipeline
import Signals

/// Onsets that count from the start of a run, as those of BIDS do (BIDS 1.10, "Events"), where results count from the start of
/// a recording that began before it (`StartTime` below 0).
struct RunOnsets {
    /// Seconds from the recording's start to the run's.
    let origin: Seconds

    /// Onsets of a recording with this provenance; nil where both begin together.
    init?(_ provenance: [UInt8]) {
        let fields = try? JSONSerialization.jsonObject(with: Data(provenance)) as? [String: Any]
        guard let origin = (fields?["sourceOrigin"] as? NSNumber)?.doubleValue, origin.isFinite, origin != 0 else {
            return nil
        }
        self.origin = origin
    }

    /// A table and its sidecar with moments that count from the run's start; as they are where they tell of none.
    func shifted(_ table: [UInt8], _ sidecar: [UInt8]) -> (table: [UInt8], sidecar: [UInt8]) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(sidecar)),
            var columns = object as? [String: Any]
        else { return (self.table(table, ["onset"]), sidecar) }
        var moments: Set<String> = []
        for (name, told) in columns {
            guard var column = told as? [String: Any], column["Units"] as? String == "s",
                SourceOrigin.isMoment(name, role: column["Role"] as? String)
            else { continue }
            moments.insert(name)
            let definition = column["Description"] as? String ?? ""
            let plain = definition.replacing(SourceOrigin.remark(origin), with: "")
            let lead = NumberFormatting.onset(origin)
            column["Description"] =
                "\(plain), less \(lead): seconds from the start of the run, before which the recording began"
            columns[name] = column
        }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard !moments.isEmpty, let data = try? JSONSerialization.data(withJSONObject: columns, options: options) else {
            return (table, sidecar)
        }
        return (self.table(table, moments), Array(data) + [0x0A])
    }

    private func table(_ bytes: [UInt8], _ moments: Set<String>) -> [UInt8] {
        let (tab, end) = (UInt8(ascii: "\t"), UInt8(ascii: "\n"))
        let names = bytes.prefix { $0 != end }.split(separator: tab, omittingEmptySubsequences: false)
        let isMoment = names.map { moments.contains(String(decoding: $0, as: UTF8.self)) }
        guard isMoment.contains(true) else { return bytes }
        var shifted: [UInt8] = []
        shifted.reserveCapacity(bytes.count)
        for (row, line) in bytes.split(separator: end).enumerated() {
            for (place, field) in line.split(separator: tab, omittingEmptySubsequences: false).enumerated() {
                if place > 0 { shifted.append(tab) }
                if row > 0, place < isMoment.count, isMoment[place] {
                    shifted += moment(field)
                } else {
                    shifted += field
                }
            }
            shifted.append(end)
        }
        return shifted
    }

    /// A moment from the run's start; what is no number as it is.
    private func moment(_ field: ArraySlice<UInt8>) -> [UInt8] {
        let time = NumberParsing.double(String(decoding: field, as: UTF8.self))
        guard let time, time.isFinite else { return Array(field) }
        return Array(NumberFormatting.onset(time - origin).utf8)
    }
}
