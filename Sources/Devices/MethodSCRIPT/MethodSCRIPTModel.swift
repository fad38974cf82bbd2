import Formats
import Foundation
import Simulation

extension DeviceModel {
    private static let script = DeviceOption(
        "script", "a file with the MethodSCRIPT to run", standard: "none is run", isFile: true)

    /// An instrument that runs MethodSCRIPT, on a serial port.
    static let methodSCRIPT = DeviceModel(
        id: "methodscript", title: "PalmSens MethodSCRIPT instrument (serial)",
        transport: .serial(baud: MethodSCRIPTFamily.emStatPico.baudRate), options: [script],
        faults: [.clockDrift],
        conversation: { options throws in try conversation(.serial, options) },
        simulator: { session, faults in
            var simulation = MethodSCRIPTSimulation()
            simulation.seed = session.seed
            simulation.drift = faults.clockDrift
            return MethodSCRIPTSimulator(simulation)
        })

    /// An instrument that runs MethodSCRIPT, through the virtual serial port of its Bluetooth module.
    static let methodSCRIPTBluetooth = DeviceModel(
        id: "methodscript-bluetooth", title: "PalmSens MethodSCRIPT instrument (Bluetooth)",
        transport: .bluetooth(BluetoothRecognition(services: [MethodSCRIPTSettings.service])), options: [script],
        faults: [.clockDrift],
        conversation: { options throws in try conversation(.bluetooth, options) },
        simulator: { session, faults in
            var simulation = MethodSCRIPTSimulation()
            simulation.seed = session.seed
            simulation.drift = faults.clockDrift
            simulation.link = .bluetooth
            return MethodSCRIPTSimulator(simulation)
        })

    private static func conversation(
        _ link: MethodSCRIPTSettings.Connection, _ options: DeviceOptions
    ) throws -> any Conversation {
        try options.check(against: [script])
        var settings = MethodSCRIPTSettings(link)
        if let path = options["script"] {
            do {
                if let text = options.texts["script"] {
                    settings.script = try MethodSCRIPTScript(text: text, name: path)
                } else {
                    settings.script = try MethodSCRIPTScript(contentsOf: URL(fileURLWithPath: path))
                }
            } catch {
                throw DeviceFailure(description: "Option script: \(error)")
            }
        }
        return MethodSCRIPTConversation(settings)
    }
}
