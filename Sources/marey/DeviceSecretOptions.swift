import Acquisition
import Devices
import Foundation

/// The secrets of devices that are named on the command line, such as the key of an account.
enum DeviceSecretOptions {
    /// Hides secrets on the command line from the list of processes and warns of them, and asks at the terminal
    /// for those that are given nowhere.
    /// - Throws: `Failure` where the file of a secret cannot be read.
    static func complete(_ address: inout DeviceAddress) throws {
        for secret in DeviceModel.named(address.model)?.secrets ?? [] {
            if let value = address.options[secret.option], !value.isEmpty {
                hide(value)
                warn(of: secret)
                continue
            }
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

    /// Hides the secrets in addresses that go to another program, and warns of them.
    static func hide(in devices: [String]) {
        for address in devices.compactMap({ try? DeviceAddress($0) }) {
            for secret in DeviceModel.named(address.model)?.secrets ?? [] {
                guard let value = address.options[secret.option], !value.isEmpty else { continue }
                hide(value)
                warn(of: secret)
            }
        }
    }

    private static func warn(of secret: DeviceSecret) {
        Terminal.note(
            "warning: \(secret.option)=… on the command line is in the shell's history, and everybody on this machine could read "
                + "it in the list of processes when the program began; \(secret.remedy)")
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
