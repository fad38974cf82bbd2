import Foundation

/// Beat marks of an MIT-format annotation file, read by a few lines of its own so that these tests rest on no reader.
struct AnnotatedMarks {
    /// Sample of each mark.
    var samples: [Int] = []
    /// Its code, as in ecgcodes.h.
    var codes: [Int] = []

    init(_ url: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: url))
        var (sample, place) = (0, 0)
        while place + 1 < bytes.count {
            let word = Int(bytes[place]) | Int(bytes[place + 1]) << 8
            let (code, step) = (word >> 10, word & 0x3FF)
            place += 2
            switch code {
            case 0 where step == 0: return
            case 59 where place + 3 < bytes.count:
                let high = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
                let low = UInt32(bytes[place + 2]) | UInt32(bytes[place + 3]) << 8
                sample += Int(Int32(bitPattern: high << 16 | low))
                place += 4
            case 63: place += (step + 1) / 2 * 2
            case 60...62: break
            default:
                sample += step
                samples.append(sample)
                codes.append(code)
            }
        }
    }
}

/// The beats among such marks.
struct AnnotatedBeats {
    /// Beat times in seconds.
    var times: [Double] = []
    /// Whether the rhythm made the beat at its usual place: no supraventricular, ventricular or fusion beat.
    var isNormal: [Bool] = []

    init(_ url: URL, rate: Double) throws {
        let marks = try AnnotatedMarks(url)
        for (sample, code) in zip(marks.samples, marks.codes)
        where (1...13).contains(code) || [25, 30, 34, 35, 38, 41].contains(code) {
            times.append(Double(sample) / rate)
            isNormal.append([1, 2, 3, 11, 12, 13, 34, 38].contains(code))
        }
    }
}
