public import Foundation

/// A secret that a kind of device is connected with, such as the key of an account.
///
/// It comes from a file (`keyFile=PATH`, its first line), from the environment, or from a prompt. A program that writes it
/// into the device's address can do so too (`key=…`); on a command line everybody on the machine can read it.
public struct DeviceSecret: Hashable, Sendable {
    /// The kind of device, as the catalogue names it.
    public var model: String
    /// The option that holds it.
    public var option: String
    /// In words, such as `the account's key`.
    public var meaning: String

    /// The option that names a file whose first line is the secret.
    public var fileOption: String { option + "File" }
    /// The environment variable that may hold it, such as `MAREY_ARCTOP_KEY`.
    public var variable: String { "MAREY_\(model)_\(option)".uppercased().replacing("-", with: "_") }
    /// The ways to give it, in words.
    public var remedy: String {
        "give \(meaning) in a file (\(fileOption)=PATH) or in the environment variable \(variable)"
    }

    /// A secret of a kind of device.
    public init(model: String, option: String, meaning: String) {
        (self.model, self.option, self.meaning) = (model, option, meaning)
    }

    /// The options with which it is given.
    var options: [DeviceOption] {
        [
            DeviceOption(
                option, "\(meaning); better in \(fileOption) or in \(variable)", standard: "that of \(fileOption)",
                isSecret: true),
            DeviceOption(
                fileOption, "a file whose first line is \(meaning)", standard: "the environment variable \(variable)",
                isFile: true, isSecret: true),
        ]
    }

    private static let maxBytes = 4_096

    /// The secret: the option's own value, else the file's first line, else the environment's; nil where all are missing.
    /// - Throws: `DeviceFailure` when the file cannot be read or its first line is empty.
    public func value(
        in options: DeviceOptions, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DeviceFailure) -> String? {
        if let value = options[option], !value.isEmpty { return value }
        if let path = options[fileOption] {
            guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: Self.maxBytes)
            else { throw DeviceFailure(description: "Option \(fileOption): \(path) cannot be read.") }
            let line = String(decoding: head, as: UTF8.self).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline
            ).first.map { $0.trimmingCharacters(in: .whitespaces) }
            guard let line, !line.isEmpty else {
                throw DeviceFailure(description: "Option \(fileOption): the first line of \(path) is empty.")
            }
            return line
        }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension DeviceOptions {
    /// The values of a kind of device's secrets, which logs and notes must not hold.
    public func secrets(of model: DeviceModel) -> [String] {
        model.secrets.compactMap { try? $0.value(in: self) }
    }
}
