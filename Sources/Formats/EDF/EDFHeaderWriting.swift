import Signals

/// Writes the header of an EDF+ or BDF+ file.
enum EDFHeaderWriting {
    static func bytes(
        channels: [(channel: EDFWriteChannels.Channel, samplesPerRecord: Int)], format: String, storage: EDFStorage,
        subject: String?,
        start: Timestamp?, records: Int, duration: String, annotationBytes: Int
    ) -> [UInt8] {
        let count = channels.count + 1
        var bytes: [UInt8] = []
        func add(_ text: String, _ width: Int) {
            let plain = text.utf8.map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "_") }.prefix(width)
            bytes += plain + [UInt8](repeating: 0x20, count: width - plain.count)
        }
        func all(_ width: Int, _ text: (EDFWriteChannels.Channel, Int) -> String, _ annotations: String) {
            for (channel, samples) in channels { add(text(channel, samples), width) }
            add(annotations, width)
        }
        let code = subject.map { String($0.map { $0 == " " ? "_" : $0 }) } ?? ""
        bytes += storage.magic
        add((code.isEmpty ? "X" : code) + " X X X", 80)
        add("Startdate \(start.map(longDate) ?? "X") X X \(EDFWriter.equipment)", 80)
        add(start.map(shortDate) ?? "01.01.85", 8)
        add(start.map(time) ?? "00.00.00", 8)
        add(String((count + 1) * 256), 8)
        add(format, 44)
        add(String(records), 8)
        add(duration, 8)
        add(String(count), 4)
        all(16, { channel, _ in channel.label }, "\(storage.name) Annotations")
        all(80, { channel, _ in channel.transducer }, "")
        all(8, { channel, _ in dimension(channel.unit) }, "")
        all(8, { channel, _ in channel.scale.physicalMinimum }, "-1")
        all(8, { channel, _ in channel.scale.physicalMaximum }, "1")
        all(8, { channel, _ in String(channel.scale.digitalMinimum) }, String(storage.lowest))
        all(8, { channel, _ in String(channel.scale.digitalMaximum) }, String(storage.highest))
        all(80, { _, _ in "" }, "")
        all(8, { _, samples in String(samples) }, String(annotationBytes / storage.bytesPerSample))
        all(32, { _, _ in "" }, "")
        return bytes
    }

    /// The unit in at most 8 characters of ASCII, as EDF+ spells it.
    static func dimension(_ unit: Unit) -> String {
        let spellings: [Character: String] = ["\u{B5}": "u", "²": "2", "°": "deg", "Ω": "Ohm", "·": "."]
        let text = unit.rawValue.map { spellings[$0] ?? ($0.isASCII ? String($0) : "_") }.joined()
        return String(text.prefix(8))
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func longDate(_ start: Timestamp) -> String {
        let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        let civil = start.civil
        return "\(padded(civil.day))-\(months[civil.month - 1])-\(padded(civil.year, 4))"
    }

    /// Two-digit years reach from 1985 to 2084; others stand in the recording field only.
    private static func shortDate(_ start: Timestamp) -> String {
        let civil = start.civil
        let year = (1985...2084).contains(civil.year) ? padded(civil.year % 100) : "yy"
        return "\(padded(civil.day)).\(padded(civil.month)).\(year)"
    }

    private static func time(_ start: Timestamp) -> String {
        let civil = start.civil
        return "\(padded(civil.hour)).\(padded(civil.minute)).\(padded(Int(civil.second)))"
    }
}
