public import Signals

/// A stream as its header in an XDF file describes it.
public struct XDFStreamDescription: Hashable, Sendable {
    /// Name, kind, channels, nominal rate.
    public var header: StreamHeader
    /// Stable across recordings of the same source, such as a serial number and the stream's name (`source_id`).
    public var sourceID: String
    /// Who made the device, and which it is; empty where unknown (`desc/acquisition`).
    public var acquisition: [String: String]
    /// What our own reader and people should know beside, by name (`desc/marey`).
    public var details: [String: String]
    /// The sender's description, an XML `<info>` element, whose `desc` is added to the header; nil without one.
    public var senderXML: String?

    /// The name of the detail that records the decision whether samples come evenly.
    public static let paceName = "pace"

    /// A description of a stream.
    public init(
        _ header: StreamHeader, sourceID: String = "", acquisition: [String: String] = [:],
        details: [String: String] = [:]
    ) {
        self.header = header
        self.sourceID = sourceID
        self.acquisition = acquisition
        self.details = details
    }

    /// The header's XML (github.com/sccn/xdf/wiki/Meta-Data).
    func element(format: XDFValueFormat, created: Seconds, uid: String) -> XDFElement {
        func leaf(_ name: String, _ text: String) -> XDFElement { XDFElement(name: name, text: text) }
        let type = Self.type(header.kind)
        let sender = senderXML.flatMap { XDFElement(Array($0.utf8)) }?["desc"]?.children ?? []
        let senderTypes = Self.channelTypes(sender)
        let channels = header.channels.map { channel in
            XDFElement(
                name: "channel",
                children: [
                    leaf("label", channel.label), leaf("unit", Self.unit(channel.unit)),
                    leaf("type", senderTypes[channel.label] ?? channel.kind.map(Self.type) ?? type),
                ])
        }
        let sorted = { (fields: [String: String]) in
            fields.sorted { $0.key < $1.key }.map { leaf(Self.elementName($0.key), $0.value) }
        }
        var desc = [
            XDFElement(name: "channels", children: channels),
            XDFElement(name: "acquisition", children: sorted(acquisition)),
            XDFElement(name: "marey", children: [leaf("kind", header.kind.rawValue)] + sorted(details)),
        ]
        if header.sampleRate > 0 {
            // The stamps are exact and may jump: nobody should smooth them.
            desc.append(XDFElement(name: "synchronization", children: [leaf("can_drop_samples", "true")]))
        }
        for child in sender where !["channels", "marey", "synchronization"].contains(child.name) {
            if child.name == "acquisition" {
                let said = Set(child.children.map(\.name))
                desc[1].children = child.children + desc[1].children.filter { !said.contains($0.name) }
            } else {
                desc.append(child)
            }
        }
        return XDFElement(
            name: "info",
            children: [
                leaf("name", header.name), leaf("type", type), leaf("channel_count", "\(header.channels.count)"),
                leaf("nominal_srate", "\(header.sampleRate)"), leaf("channel_format", format.rawValue),
                leaf("source_id", sourceID), leaf("version", "1.1"), leaf("created_at", "\(created)"), leaf("uid", uid),
                XDFElement(name: "desc", children: desc),
            ])
    }

    /// The types that a sender declares, by the labels of its channels.
    private static func channelTypes(_ desc: [XDFElement]) -> [String: String] {
        let channels = desc.first { $0.name == "channels" }?.children ?? []
        return Dictionary(
            channels.compactMap { channel in
                channel.value("label").flatMap { label in channel.value("type").map { (label, $0) } }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A key as an XML name.
    private static func elementName(_ key: String) -> String {
        let name = String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        return name.first.map { $0.isLetter || $0 == "_" } ?? false ? name : "_" + name
    }

    /// The content type that other programs know.
    private static func type(_ kind: StreamKind) -> String {
        switch kind {
        case .ecg: "ECG"
        case .bvp: "PPG"
        case .eda: "EDA"
        case .temperature: "Temperature"
        case .acceleration: "ACC"
        case .gyroscope: "Gyroscope"
        case .eeg: "EEG"
        case .respiration: "Respiration"
        case .ibi: "RR"
        case .heartRate: "HR"
        case .battery: "Battery"
        case .marker: "Markers"
        case .potential: "Potential"
        case .current: "Current"
        case .impedance: "Impedance"
        case .other: "Misc"
        }
    }

    /// The unit as XDF programs spell it.
    private static func unit(_ unit: Signals.Unit) -> String {
        switch unit {
        case .microvolts: "microvolts"
        case .millivolts: "millivolts"
        case .volts: "volts"
        case .microsiemens: "microsiemens"
        case .degreesCelsius: "celsius"
        default: unit.rawValue
        }
    }
}
