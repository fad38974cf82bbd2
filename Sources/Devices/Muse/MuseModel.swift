extension DeviceModel {
    /// Muse headbands before Athena.
    static let muse = DeviceModel(
        id: "muse", title: "Muse headband (2016, Muse 2, Muse S)",
        transport: .bluetooth(BluetoothRecognition(services: [Muse.service], namePrefixes: ["Muse"])),
        options: museOptions, faults: .ofCountingPeripheral,
        conversation: { options throws in
            try options.check(against: museOptions)
            let preset = options["preset"] ?? "p51"
            guard ["p20", "p21", "p50", "p51", "p60", "p61"].contains(preset) else {
                throw DeviceFailure(
                    description: "The headband has no preset “\(preset)”; possible: p20, p21, p50, p51, p60, p61.")
            }
            return MuseConversation(preset: preset)
        },
        simulator: { MuseSimulator($0, faults: $1) })

    private static let museOptions = [
        DeviceOption(
            "preset",
            "p20 or p21 for EEG and motion (Muse 2016), p50 or p51 with PPG (Muse 2), p60 or p61 (Muse S);"
                + " those that end in 0 have the auxiliary electrode", standard: "p51")
    ]

    /// The Muse S of 2025.
    static let museAthena = DeviceModel(
        id: "muse-athena", title: "Muse S Athena",
        transport: .bluetooth(BluetoothRecognition(services: [Muse.service], namePrefixes: ["Muse"])),
        options: athenaOptions, faults: .ofStampingPeripheral,
        conversation: { options throws in
            try options.check(against: athenaOptions)
            let preset = options["preset"] ?? "p1041"
            guard preset.hasPrefix("p"), (2...4).contains(preset.count - 1),
                preset.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
            else {
                throw DeviceFailure(description: "“\(preset)” is not a preset of the headband, such as p1041.")
            }
            return AthenaConversation(preset: preset)
        },
        simulator: { AthenaSimulator($0, faults: $1) })

    private static let athenaOptions = [
        DeviceOption(
            "preset",
            "p20 or p21 for 4 electrodes and motion; p1035 with 4 optical channels; p1034 and p1041 to p1046 with 8"
                + " electrodes and 4 to 16 optical channels", standard: "p1041")
    ]
}
