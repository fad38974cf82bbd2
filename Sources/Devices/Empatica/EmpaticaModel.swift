import Signals
import Simulation

extension DeviceModel {
    private static let empaticaOptions = [
        DeviceOption("device", "the wristband's six-digit name", standard: "the only one of the server"),
        DeviceOption("streams", "of acc,bvp,gsr,ibi,tmp,bat,tag", standard: "all"),
        DeviceOption("manual", "yes or no: ask the server to connect the wristband by Bluetooth", standard: "no"),
    ]

    /// An Empatica E4 behind Empatica's streaming server.
    static let empaticaServer = DeviceModel(
        id: "empatica-e4", title: "Empatica E4 (streaming server)",
        transport: .tcp(host: "127.0.0.1", port: Int(EmpaticaServerSettings.defaultPort)),
        options: empaticaOptions,
        // Its server counts samples from the first on, so stamps never stand still.
        faults: Set(DeviceFault.allCases).subtracting([.frozenStamps]),
        conversation: { options throws in
            try options.check(against: empaticaOptions)
            var settings = EmpaticaServerSettings(device: options["device"])
            settings.connectsBluetooth = try options.flag("manual") ?? false
            if let names = options.list("streams") {
                settings.subscriptions = try names.map { name in
                    guard let found = EmpaticaSubscription(rawValue: name) else {
                        throw DeviceFailure(description: "Option streams: the E4 has no stream “\(name)”.")
                    }
                    return found
                }
            }
            return EmpaticaServerConversation(settings)
        },
        simulator: { session, faults in
            var simulation = EmpaticaSimulation()
            simulation.rhythm = session.rhythm
            simulation.seed = session.seed
            if let start = session.start { simulation.start = start }
            simulation.drift = faults.clockDrift
            simulation.clockJumps = faults.clockJumps
            simulation.contactLost = faults.contactLost
            simulation.losses = faults.losses
            simulation.tags = faults.tags
            simulation.hasDecimalComma = faults.decimalComma
            simulation.battery = faults.battery
            simulation.batteryPerHour = 3_600 / faults.batteryLife
            simulation.cuts = faults.resets
            if faults.end.isFinite { simulation.turnedOff = faults.end }
            return EmpaticaServerSimulator(simulation)
        })
}
