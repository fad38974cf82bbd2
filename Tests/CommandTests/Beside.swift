import Foundation

/// A program that runs beside the test, its standard input and output in the test's hands.
final class Beside {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest: [UInt8] = []

    /// - Parameter environment: what it finds there beside the test's own.
    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        process.executableURL = Program.url
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// The next line with all of these texts; nil at the end.
    func line(with texts: String...) -> String? {
        while true {
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                if texts.allSatisfy(line.contains) { return line }
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { return nil }
            rest += piece
        }
    }

    /// Goes away: what the program says from now on finds nobody.
    func stopReading() throws { try output.fileHandleForReading.close() }
}
