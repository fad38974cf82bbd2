extension DeviceTransport {
    private static let baudOption = "baud"

    /// What can be chosen about the way to a device.
    public var options: [DeviceOption] {
        guard case .serial(let baud) = self else { return [] }
        let rates = SerialConnector.baudRates.map(String.init).joined(separator: ", ")
        return [DeviceOption(Self.baudOption, "the serial port's symbols per second, of \(rates)", standard: "\(baud)")]
    }

    /// The symbols per second that were chosen for a serial port; nil when none were.
    /// - Throws: `DeviceFailure` naming the possible ones when a port has no such rate.
    public static func baudRate(_ options: DeviceOptions) throws(DeviceFailure) -> Int? {
        guard let text = options[baudOption] else { return nil }
        guard let rate = Int(text), SerialConnector.baudRates.contains(rate) else {
            let rates = SerialConnector.baudRates.map(String.init).joined(separator: ", ")
            throw DeviceFailure(
                description: "Option \(baudOption): “\(text)” is no rate of serial ports; possible: \(rates).")
        }
        return rate
    }
}
