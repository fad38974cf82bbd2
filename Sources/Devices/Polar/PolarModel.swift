extension DeviceModel {
    /// Polar chest straps and optical sensors with the Polar Measurement Data service.
    static let polar = DeviceModel(
        id: "polar", title: "Polar H10, Verity Sense, OH1 and other Polar sensors",
        transport: .bluetooth(
            BluetoothRecognition(services: [PMD.service], namePrefixes: ["Polar H10", "Polar OH1", "Polar Sense"])),
        options: polarOptions, faults: .ofStampingPeripheral,
        conversation: { options throws in
            try options.check(against: polarOptions)
            return PolarConversation(streams: try streams(options))
        },
        simulator: { PolarSimulator($0, faults: $1) })

    private static let polarOptions = [
        DeviceOption(
            "streams",
            "The measurements, with commas: \(PolarStream.possible.map(\.stream).joined(separator: ", "));"
                + " each with a rate in Hz if wanted, as in ecg,acceleration:100",
            standard: "all of ecg, acceleration, ppg and ppi that the sensor has")
    ]

    private static func streams(_ options: DeviceOptions) throws(DeviceFailure) -> [PolarStream]? {
        guard let names = options.list("streams") else { return nil }
        guard !names.isEmpty else { throw DeviceFailure(description: "Name at least one stream of the Polar sensor.") }
        var streams: [PolarStream] = []
        for name in names {
            let parts = name.split(separator: ":", omittingEmptySubsequences: false)
            let type = PolarStream.possible.first { $0.stream == parts.first.map(String.init) }
            let rate = parts.count == 2 ? Double(parts[1]) : nil
            guard let type, parts.count == 1 || rate.map({ $0 > 0 && $0 < 10_000 }) == true else {
                let possible = PolarStream.possible.map(\.stream).joined(separator: ", ")
                throw DeviceFailure(description: "“\(name)” is not a stream of a Polar sensor; possible: \(possible).")
            }
            streams.append(PolarStream(type, sampleRate: rate))
        }
        return streams
    }
}
