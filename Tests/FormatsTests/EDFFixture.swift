import Foundation

/// An EDF or BDF file made by hand, every field of it free to be wrong.
struct EDFFixture {
    struct Signal {
        var label = "ECG I"
        var transducer = ""
        var dimension = "mV"
        var physicalMinimum = "-5"
        var physicalMaximum = "5"
        var digitalMinimum = "-32768"
        var digitalMaximum = "32767"
        var samples = "4"
    }

    var version: [UInt8] = Array("0       ".utf8)
    var patient = "X X X X"
    var recording = "Startdate 02-MAR-2020 X X X"
    var date = "02.03.20"
    var time = "10.11.12"
    var reserved = ""
    var records = "2"
    var duration = "1"
    var signals = [Signal()]
    /// The bytes of all data records.
    var data: [UInt8] = []
    var isBDF = false
    var headerLength: String?
    var signalCount: String?

    /// A plain file whose one signal counts up from 0.
    static func counting(records: Int = 2, samples: Int = 4) -> EDFFixture {
        var fixture = EDFFixture()
        fixture.records = String(records)
        fixture.signals[0].samples = String(samples)
        fixture.data = (0..<records * samples).flatMap { bytes(Int16($0)) }
        return fixture
    }

    /// A file with annotations whose records hold a counting signal of `samples` and the given lists.
    static func plus(
        _ kind: String, lists: [String], samples: Int = 4, annotationBytes: Int = 64, duration: String = "1"
    ) -> EDFFixture {
        var fixture = EDFFixture()
        fixture.reserved = kind
        fixture.records = String(lists.count)
        fixture.duration = duration
        fixture.signals[0].samples = String(samples)
        let width = fixture.isBDF ? 3 : 2
        fixture.signals.append(
            Signal(
                label: "EDF Annotations", dimension: "", physicalMinimum: "-1", physicalMaximum: "1",
                samples: String(annotationBytes / width)))
        for (record, list) in lists.enumerated() {
            fixture.data += (0..<samples).flatMap { bytes(Int16(record * samples + $0)) }
            let text = Array(list.utf8)
            fixture.data += text + [UInt8](repeating: 0, count: annotationBytes - text.count)
        }
        return fixture
    }

    static func bytes(_ value: Int16) -> [UInt8] {
        let bits = UInt16(bitPattern: value)
        return [UInt8(bits & 0xFF), UInt8(bits >> 8)]
    }

    /// The whole file.
    var bytes: [UInt8] {
        var bytes = version
        func add(_ text: String, _ width: Int) {
            let field = Array(text.utf8.prefix(width))
            bytes += field + [UInt8](repeating: 0x20, count: width - field.count)
        }
        add(patient, 80)
        add(recording, 80)
        add(date, 8)
        add(time, 8)
        add(headerLength ?? String((signals.count + 1) * 256), 8)
        add(reserved, 44)
        add(records, 8)
        add(duration, 8)
        add(signalCount ?? String(signals.count), 4)
        for signal in signals { add(signal.label, 16) }
        for signal in signals { add(signal.transducer, 80) }
        for signal in signals { add(signal.dimension, 8) }
        for signal in signals { add(signal.physicalMinimum, 8) }
        for signal in signals { add(signal.physicalMaximum, 8) }
        for signal in signals { add(signal.digitalMinimum, 8) }
        for signal in signals { add(signal.digitalMaximum, 8) }
        for _ in signals { add("", 80) }
        for signal in signals { add(signal.samples, 8) }
        for _ in signals { add("", 32) }
        return bytes + data
    }
}
