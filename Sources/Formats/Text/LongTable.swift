/// Tables with one value per row, whose signal is named by a column of text, as exports of phones and watches are:
/// `time;HEART_RATE;72`. Read as samples, all signals would be one.
enum LongTable {
    /// The most names of signals in a table.
    private static let mostNames = 64
    private static let fewestRows = 12

    /// The names of signals in a column of text; nil where its cells are something else, such as conditions, which last.
    /// - Parameter header: the column's header; nil where there is none.
    static func names(in cells: [Substring], of header: String?) -> [String]? {
        let filled = cells.filter { !$0.isEmpty }
        guard filled.count >= fewestRows, 2 * filled.count > cells.count else { return nil }
        var names: [String] = []
        var known: Set<Substring> = []
        for cell in filled where known.insert(cell).inserted {
            names.append(String(cell))
            guard names.count <= mostNames else { return nil }
        }
        let changes = zip(filled.dropFirst(), filled).count { $0 != $1 }
        guard names.count > 1, 3 * names.count <= filled.count, 8 * changes >= filled.count,
            names.allSatisfy({ $0.contains(where: \.isLetter) })
        else { return nil }
        let isNamed =
            header.map { header in
                headers.contains(header.lowercased().filter { $0.isLetter })
            } ?? true
        return isNamed || names.contains(where: { SignalKind.said(by: $0) != nil }) ? names : nil
    }

    private static let headers: Set<String> = [
        "name", "type", "signal", "sensor", "metric", "measure", "measurement", "variable", "channel", "parameter",
        "key",
        "tag", "typetag", "stream", "source", "datatype", "sensorname", "signalname", "channelname",
    ]
}
