import Devices

extension DeviceAddress {
    /// The files of this machine that the device takes, as they are written: the log that is replayed, the script that is run,
    /// and what stands for a serial port outside of `/dev`.
    public var files: [String] {
        let options = Set(DeviceModel.all.flatMap(\.options).filter(\.isFile).map(\.name))
        let chosen = options.sorted().compactMap { self.options[$0] }
        return (isFile && !place.isEmpty ? [place] : []) + chosen
    }

    /// The serial port that the device is reached over, as it is written; nil where it is reached otherwise.
    public var serialPort: String? {
        guard case .serial = DeviceModel.named(model)?.transport, !place.isEmpty else { return nil }
        return place
    }

    private var isFile: Bool {
        switch DeviceModel.named(model)?.transport {
        case .replay: true
        case .serial: place.contains("/") && (!place.hasPrefix("/dev/") || place.contains(".."))
        default: false
        }
    }
}
