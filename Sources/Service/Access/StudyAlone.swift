import Acquisition
import Devices
import Foundation
import Study

extension Caller {
    /// Refuses devices that take files of this machine from elsewhere than the study, and what is no serial port of a device,
    /// such as the terminal at which somebody works: only whoever started the service may reach those.
    /// - Throws: `Problem` 403.
    func demandFiles(of devices: [String], within study: StudyFolder) throws(Problem) {
        guard key != nil else { return }
        let root = Self.path(study.root)
        // What is no address is refused where it is read.
        for device in devices.compactMap({ try? DeviceAddress($0) }) {
            if let file = device.files.first(where: { !Self.path(URL(fileURLWithPath: $0)).hasPrefix(root + "/") }) {
                throw Problem(
                    403, "file",
                    "\(device.name): this key takes files from the study alone, as \(file) is none; whoever started the "
                        + "service may name others")
            }
            try Self.demandPort(of: device)
        }
    }

    /// Refuses devices at places that the owner of the study did not list. Logs and scripts of the study itself, and phones of
    /// the relay, which connect by themselves, are no places.
    /// - Throws: `Problem` 403.
    func demandPlaces(of devices: [String], among places: [String]) throws(Problem) {
        guard key != nil else { return }
        for device in devices.compactMap({ try? DeviceAddress($0) }) where device.reachesOut {
            guard !places.contains(where: { device.isAt($0) }) else { continue }
            let place = device.model + (device.place.isEmpty ? "" : "@" + device.place)
            throw Problem(
                403, "place",
                "\(place) is no place that this study lists for keys; its owner adds it with: marey study places add STUDY "
                    + "\(place)")
        }
    }

    private static func demandPort(of device: DeviceAddress) throws(Problem) {
        guard let place = device.serialPort, !SerialPort.isPort(place) else { return }
        throw Problem(
            403, "port",
            "\(device.name): this key reaches serial ports alone, such as /dev/ttyUSB0 or what is in /dev/serial/by-id; whoever "
                + "started the service may name others")
    }

    private static func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}
