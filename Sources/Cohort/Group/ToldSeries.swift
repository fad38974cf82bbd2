import Formats
import Synchronization

/// What those who computed recordings told of their tables of samples and epochs: what a group needs of them, so that it need
/// not read again what was just written. Where nothing was told, the tables are read.
public final class ToldSeries: Sendable {
    /// What was told of one table.
    enum Told {
        /// A table of signal quality.
        case quality(JudgedQuality)
        /// A table of samples or epochs: its header, and its means.
        case series(names: [String], runs: [Run])
    }

    /// Values that have their signal and its extent in common.
    struct Run {
        fileprivate var fields: [String]

        /// The values; `indexes` are those of the table.
        func values(_ indexes: [ResultColumns.Index]) -> [ResultTables.Value] {
            func text(_ place: Int) -> String? { fields[place].isEmpty ? nil : fields[place] }
            return stride(from: 5, to: fields.count - 3, by: 4).compactMap { place in
                guard let index = Int(fields[place]), indexes.indices.contains(index) else { return nil }
                return ResultTables.Value(
                    window: nil, onset: text(1), duration: text(2), signal: fields[0], index: indexes[index],
                    text: text(place + 1), coverage: text(3), quality: text(4), count: text(place + 2),
                    share: NumberParsing.double(fields[place + 3]))
            }
        }
    }

    /// Bytes that are kept of all recordings together: of those that come later the tables are read.
    private static let most = 1 << 26

    private let lines = Mutex<(lines: [String: String], bytes: Int)>(([:], 0))

    /// Nothing yet.
    public init() {}

    /// Takes a line on the recording `stem`.
    func add(_ line: String, of stem: String) {
        lines.withLock { all in
            all.bytes -= all.lines.removeValue(forKey: stem)?.utf8.count ?? 0
            guard all.bytes + line.utf8.count <= Self.most else { return }
            all.bytes += line.utf8.count
            all.lines[stem] = line
        }
    }

    /// Hands the line on a recording on; empty where there is none.
    func take(_ stem: String) -> String {
        lines.withLock { all in
            let line = all.lines.removeValue(forKey: stem) ?? ""
            all.bytes -= line.utf8.count
            return line
        }
    }

    /// What was told of the tables that a marker pins, by their paths.
    func tables(of marker: DoneMarker) -> [String: Told] {
        guard let line = lines.withLock({ $0.lines[marker.plan.unit.stem] }), !line.isEmpty else { return [:] }
        let hashes = Dictionary(marker.outputs.map { ($0.path, $0.sha256) }, uniquingKeysWith: { $1 })
        var (tables, current): ([String: Told], String?) = ([:], nil)
        for record in Self.parts(of: line.utf8[...], ToldLine.record) {
            var fields = Self.parts(of: record, ToldLine.field).map { String(Substring($0)) }
            let kind = fields.removeFirst()
            switch kind {
            case "R":
                guard let current, fields.count > 4, case .series(let names, var runs) = tables[current] else {
                    continue
                }
                tables[current] = nil
                runs.append(Run(fields: fields))
                tables[current] = .series(names: names, runs: runs)
            case "Q", "S":
                current = nil
                guard fields.count > 1, hashes[fields[0]] == fields[1] else { continue }
                if kind == "Q" {
                    tables[fields[0]] = Self.quality(fields).map(Told.quality)
                } else {
                    current = fields[0]
                    tables[fields[0]] = .series(names: Array(fields[2...]), runs: [])
                }
            default: continue
            }
        }
        return tables
    }

    private static func quality(_ fields: [String]) -> JudgedQuality? {
        let numbers = fields.dropFirst(2).map { NumberParsing.double($0) }
        guard numbers.count == 3, numbers[0]?.isFinite == true else { return nil }
        guard let quality = numbers[1], let coverage = numbers[2] else {
            return JudgedQuality(end: numbers[0], means: nil)
        }
        return JudgedQuality(end: numbers[0], means: (quality, coverage))
    }

    private static func parts(of text: Substring.UTF8View, _ mark: Unicode.Scalar) -> [Substring.UTF8View] {
        text.split(separator: UInt8(mark.value), omittingEmptySubsequences: false)
    }
}
