extension DeviceModel {
    /// Muse headbands before Athena.
    static let muse = DeviceModel(
        id: "muse", title: "Muse headband (2016, Muse 2, Muse S)",
        transport: .bluetooth(BluetoothRecognition(services: [Muse.service], namePrefixes: ["Muse"])),
        options: museOptions,
        conversation: { options throws in
            try options.check(against: museOptions)
            let preset = options["preset"] ?? "p51"
            guard ["p20", "p21", "p50", "p51", "p60", "p61"].contains(preset) else {
                throw DeviceFailure(
                    description: "The headband has no preset “\(preset)”; possible: p20, p21, p50, p51, p60, p61.")
            }
            return MuseConversation(preset: preset)
        })

    private static let museOptions = [
        DeviceOption(
            "preset",
            "p20 or p21 for EEG and motion (Muse 2016), p50 or p51 with PPG (Muse 2), p60 or p61 (Muse S);"
                + " those that end in 0 have the auxiliary electrode", standard: "p51")
    ]
}
