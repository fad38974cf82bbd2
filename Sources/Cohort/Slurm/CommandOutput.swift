import Foundation
import Pipeline

/// Runs a program of the system to its end.
enum CommandOutput {
    static func run(_ words: [String], input: String?) throws -> Slurm.Outcome {
        let process = Process()
        let (reading, output, messages) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = input == nil ? FileHandle.nullDevice : reading
        (process.standardOutput, process.standardError) = (output, messages)
        do {
            try process.run()
        } catch {
            throw CohortError("\(words[0]): cannot be started: \(error.localizedDescription)")
        }
        if let input {
            // Scripts are far smaller than a pipe holds. A program that reads none of it has a reason, which it tells.
            let before = signal(SIGPIPE, SIG_IGN)
            defer { signal(SIGPIPE, before) }
            try? reading.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? reading.fileHandleForWriting.close()
        }
        let complaints = try Thread.reading(messages.fileHandleForReading)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 127 {
            throw CohortError("\(words[0]): there is no such program here", advice: "is this a machine of the cluster?")
        }
        return Slurm.Outcome(status: process.terminationStatus, output: text, messages: complaints())
    }
}

extension Thread {
    /// Reads a file to its end on a thread of its own.
    /// - Returns: what waits for the end and gives what was read.
    /// - Throws: `ThreadShortage` where there can be none.
    fileprivate static func reading(_ handle: FileHandle) throws(ThreadShortage) -> () -> String {
        let done = DispatchSemaphore(value: 0)
        let box = TextBox()
        try SystemThread.start {
            box.text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
            done.signal()
        }
        return {
            done.wait()
            return box.text
        }
    }
}

/// A text handed from one thread to another, which waits for it.
private final class TextBox: @unchecked Sendable {
    var text = ""
}
