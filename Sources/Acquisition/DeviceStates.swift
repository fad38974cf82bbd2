public import Devices
public import Signals

/// How a session's devices stand, by its events: what a terminal and a page show alike.
public struct DeviceStates: Sendable {
    /// One device.
    public struct Device: Sendable {
        /// Its connection.
        public internal(set) var connection = ConnectionState.unknown
        /// Why that failed or broke; nil where nothing did.
        public internal(set) var reason: String?
        /// Seconds from the last attempt to connect to the next, while that is waited for.
        public internal(set) var wait: Seconds?
        /// The charge that it reported last, 0…1.
        public internal(set) var battery: Double?
        /// The moments of the last reports of charge, contact and electrodes, seconds from the recording's start.
        public internal(set) var batteryMoment: Seconds?, contactMoment: Seconds?, electrodesMoment: Seconds?
        /// Its maker and model, as it says them; empty where it does not.
        public internal(set) var title = ""
        /// Where its sensor is worn, such as “chest”; nil where it does not say.
        public internal(set) var location: String?
        /// Whether it touches the skin; nil where it cannot tell.
        public internal(set) var contact: Bool?
        /// Whether it says that it is paused.
        public internal(set) var isPaused = false
        /// The fit of its electrodes by label, 0 (perfect) … 1 (no signal).
        public internal(set) var electrodes: [String: Double] = [:]
        /// Whether its signals pass; nil where that is not known yet.
        public internal(set) var verdict: QAVerdict?

        /// Whether it is connected.
        public var isConnected: Bool { connection == .connected && wait == nil }
    }

    /// The devices in the order in which they were heard of.
    public private(set) var all: [(name: String, device: Device)] = []

    /// The device and the kind of each stream of the recording.
    private var streams: [Int: (device: String, kind: StreamKind)] = [:]

    /// Nothing was heard of any yet.
    public init() {}

    /// The device of a name in the session; nil where nothing was heard of it.
    public subscript(name: String) -> Device? { all.first { $0.name == name }?.device }

    /// Takes an event in.
    public mutating func take(_ event: SessionEvent) {
        switch event {
        case .connection(let name, let state, let reason, _, _):
            change(name) { device in
                (device.connection, device.reason, device.wait) = (state, reason, nil)
                // What was said of signals that do not come any more says nothing.
                if state != .connected {
                    (device.verdict, device.isPaused, device.contact) = (nil, false, nil)
                    device.electrodes = [:]
                }
            }
        case .retrying(let name, let wait, _): change(name) { $0.wait = wait }
        case .status(let name, let status, let moment): take(status, of: name, at: moment)
        case .identity(let name, let identity, _):
            let words = [identity.manufacturer, identity.model].filter { !$0.isEmpty }
            // The advertised name often holds the maker, model and number: “Polar H10 8C1A2B”.
            let title = words.isEmpty ? identity.name : words.joined(separator: " ")
            let number = identity.serialNumber.isEmpty ? "" : " \(identity.serialNumber)"
            change(name) { device in (device.title, device.location) = (title + number, identity.location) }
        case .verdict(let name, let verdict, _): change(name) { $0.verdict = verdict }
        case .stream(let index, let name, let header, _, _): streams[index] = (name, header.kind)
        case .signal(let signal, _): take(signal)
        case .remark, .script, .update, .lapse, .gap, .marker, .disk, .pulse, .finished: break
        }
    }

    /// Contact and electrodes are not known once the signal they are of has ended.
    private mutating func take(_ signal: StreamSignal) {
        guard !signal.isPresent, let (name, kind) = streams[signal.stream] else { return }
        change(name) { device in
            if kind == .eeg { device.electrodes = [:] }
            if [.eeg, .ecg, .bvp, .ibi, .heartRate, .eda].contains(kind) { device.contact = nil }
        }
    }

    private mutating func take(_ status: DeviceStatus, of name: String, at moment: Seconds) {
        switch status {
        case .battery(let charge): change(name) { ($0.battery, $0.batteryMoment) = (charge, moment) }
        case .contact(let contact): change(name) { ($0.contact, $0.contactMoment) = (contact, moment) }
        case .paused(let isPaused): change(name) { $0.isPaused = isPaused }
        case .electrodes(let fit):
            change(name) { device in
                device.electrodes.merge(fit) { $1 }
                device.electrodesMoment = moment
            }
        default: break
        }
    }

    private mutating func change(_ name: String, _ body: (inout Device) -> Void) {
        if let known = all.firstIndex(where: { $0.name == name }) {
            body(&all[known].device)
        } else {
            var device = Device()
            body(&device)
            all.append((name, device))
        }
    }
}
