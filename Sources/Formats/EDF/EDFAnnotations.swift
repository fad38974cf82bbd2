import Signals

/// What the time-stamped annotation lists (TALs) of one data record say.
struct EDFRecordAnnotations {
    /// When the record starts, in seconds after the header's start; nil when it does not say.
    var onset: Seconds?
    /// What happened: onset after the header's start, duration, text.
    var events: [Event] = []
    /// Whether a list could not be understood.
    var isDamaged = false
    /// Whether a text was no UTF-8 and was read as Latin-1.
    var isLatin1 = false

    struct Event {
        var onset: Seconds
        var duration: Seconds
        var text: String
    }

    /// Parses the annotation signal at `bytes`. EDF+ 2.2.2: `+onset[0x15 duration]0x14 text 0x14 … 0x00`, the first
    /// list of the first annotation signal with an empty first text giving the record's start.
    mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>, isFirstSignal: Bool) {
        var place = 0
        var isFirstList = isFirstSignal
        while place < bytes.count {
            if bytes[place] == 0 {
                place += 1
                continue
            }
            guard parseList(bytes, &place, givesOnset: isFirstList) else {
                isDamaged = true
                return
            }
            isFirstList = false
        }
    }

    /// Parses one list from `place`, leaving `place` after its end. False when it is none.
    private mutating func parseList(
        _ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int, givesOnset: Bool
    ) -> Bool {
        guard bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-"),
            let onset = Self.number(bytes, &place)
        else { return false }
        var duration = 0.0
        if place < bytes.count, bytes[place] == 0x15 {
            place += 1
            guard place < bytes.count, bytes[place] != UInt8(ascii: "-"), let value = Self.number(bytes, &place)
            else { return false }
            duration = value
        }
        guard place < bytes.count, bytes[place] == 0x14 else { return false }
        place += 1
        var isFirstText = true
        while place < bytes.count, bytes[place] != 0 {
            var end = place
            while end < bytes.count, bytes[end] != 0x14, bytes[end] != 0 { end += 1 }
            guard end < bytes.count, bytes[end] == 0x14 else { return false }
            if end > place {
                let text = self.text(UnsafeBufferPointer(rebasing: bytes[place..<end]))
                events.append(Event(onset: onset, duration: duration, text: text))
            } else if isFirstText, givesOnset {
                self.onset = onset
            }
            isFirstText = false
            place = end + 1
        }
        return true
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Double? {
        guard let base = bytes.baseAddress,
            let scanned = ScannedDecimal(base + place, base + bytes.count, mark: UInt8(ascii: "."))
        else { return nil }
        place = scanned.next - base
        let value = scanned.double()
        return value.isPlaceable ? value : nil
    }

    private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        isLatin1 = true
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
