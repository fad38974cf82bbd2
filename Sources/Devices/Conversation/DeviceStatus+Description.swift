extension DeviceStatus: CustomStringConvertible {
    /// The status in a few words, as journals and lists tell it.
    public var description: String {
        switch self {
        case .battery(let charge): "battery \(Int((charge * 100).rounded())) %"
        case .charging(let isCharging): isCharging ? "plugged in" : "not plugged in"
        case .contact(let contact): contact.map { $0 ? "skin contact" : "no skin contact" } ?? "skin contact unknown"
        case .electrodes(let fit):
            "electrodes " + fit.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        case .quality(let quality): "quality \(quality)"
        case .deviceBehindServer(let isConnected):
            isConnected ? "device connected to the server" : "server without device"
        case .servedDevice(let status): "served device \(status)"
        case .radio(let radio): "radio \(radio)"
        case .found(let devices):
            devices.isEmpty ? "found no device" : "found " + devices.map(\.id).joined(separator: ", ")
        case .connection(let previous, let current): "sensor \(current), \(previous) before"
        case .paused(let isPaused): isPaused ? "paused" : "not paused"
        case .clockJump(let stream, let by): "clock of \(stream) set by \(by) s"
        }
    }
}
