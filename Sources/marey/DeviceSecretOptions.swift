import Acquisition
import Devices
import Foundation

/// The secrets of devices that are named on the command line, such as the key of an account.
enum DeviceSecretOptions {
    /// Refuses secrets on the command line, and asks at the terminal for those that are given nowhere.
    /// - Throws: `Failure` for a secret on the command line, or where the file of a secret cannot be read.
    static func complete(_ address: inout DeviceAddress) throws {
        try refuse(in: address)
        for secret in DeviceModel.named(address.model)?.secrets ?? [] {
            do {
                guard try secret.value(in: address.options) == nil, isatty(STDIN_FILENO) == 1,
                    let typed = getpass("\(address.name): \(secret.meaning): ")
                else { continue }
                let value = String(cString: typed)
                if !value.isEmpty { address.options.values[secret.option] = value }
            } catch {
                throw Failure.misuse(error.description)
            }
        }
    }

    /// Refuses secrets in addresses on the command line that go to another program.
    /// - Throws: `Failure` for a secret on the command line.
    static func refuse(in devices: [String]) throws {
        for address in devices.compactMap({ try? DeviceAddress($0) }) { try refuse(in: address) }
    }

    private static func refuse(in address: DeviceAddress) throws {
        for secret in DeviceModel.named(address.model)?.secrets ?? [] {
            guard let value = address.options[secret.option], !value.isEmpty else { continue }
            hide(value)
            throw Failure.misuse(
                "\(address.model): \(secret.option)=… on the command line is in the shell's history and, for everybody on this "
                    + "machine, in the list of processes: \(secret.remedy), or leave it out and type it when asked")
        }
    }

    /// Overwrites a value in this process's arguments, which `ps` shows. They were read already.
    static func hide(_ value: String) {
        let secret = Array(value.utf8)
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let bytes = UnsafeMutableRawBufferPointer(start: argument, count: strlen(argument))
            guard bytes.count >= secret.count else { continue }
            for start in 0...bytes.count - secret.count where bytes[start..<start + secret.count].elementsEqual(secret)
            {
                for place in start..<start + secret.count { bytes[place] = UInt8(ascii: "*") }
            }
        }
    }
}
