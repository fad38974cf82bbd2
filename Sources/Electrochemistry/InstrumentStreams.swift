import Foundation
public import Signals

/// Whose streams the values of potentiostats are.
extension ElectrochemicalPoint {
    /// The device whose stream it is, as sessions name streams by it: `es4` of `es4-current` and `es4-current_2`. Empty
    /// where the name does not end in what the stream's first channel is called, as in an instrument's log.
    public static func device(of header: StreamHeader) -> String {
        guard let label = header.channels.first?.label, !label.isEmpty,
            let found = header.name.range(of: "-" + label, options: .backwards)
        else { return "" }
        // A quantity that is repeated in a package, and a stream that was declared anew, have numbers.
        let number = header.name[found.upperBound...]
        let isNumber = ["_", "-"].contains(number.first) && number.allSatisfy { "_-0123456789".contains($0) }
        return number.isEmpty || isNumber ? String(header.name[..<found.lowerBound]) : ""
    }

    /// Whether a stream tells of each package at which channel of the instrument it was measured (MethodSCRIPT `ea`).
    public static func tellsChannel(_ header: StreamHeader) -> Bool {
        guard let channel = header.channels.first else { return false }
        return channel.label == "channel" && channel.unit == .dimensionless && header.sampleRate == 0
            && !isRepeated(header)
    }

    /// Whether a stream tells the current or the impedance of a second working electrode, which no point has: its
    /// potential is not that of the first.
    public static func isOfSecondElectrode(_ header: StreamHeader) -> Bool {
        guard header.sampleRate == 0, let label = header.channels.first?.label else { return false }
        return label == "current2" || label.hasSuffix("Bipot")
    }

    /// Whether a stream gives points their current or their impedance.
    public static func isMeasured(_ header: StreamHeader) -> Bool {
        guard let label = header.channels.first?.label, [.current, .impedance].contains(header.kind) else {
            return false
        }
        return ["current", "currentDC", "impedance", "impedanceReal"].contains(label)
    }
}
