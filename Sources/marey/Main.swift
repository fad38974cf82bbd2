import ArgumentParser
import Dispatch
import Formats
import Foundation
import Pipeline
import Sessions

/// Where the program starts: parses the command line, runs the verb, and turns every outcome into an exit code.
@main
enum Main {
    static func main() {
        // Participants' data is personal: what is written can be read by its owner alone.
        umask(0o077)
        // A limit on the size of files is told like a full disk, and ends nothing.
        signal(SIGXFSZ, SIG_IGN)
        StandardOutput.holdClosedStreams()
        var stops: [any DispatchSourceSignal] = []
        defer { withExtendedLifetime(stops) {} }
        do {
            try UnreadCommandLine.refuse()
            // Dispatch waits for ever for the thread that it watches signals with.
            try SystemThread.demand()
            stops = stopSignals()
            try UndecodableArguments.refuse()
            if try BatchWork.begin(CommandLine.arguments) { return }
            try HelpRequest.refuseUnknown(in: Array(CommandLine.arguments.dropFirst()))
            try MistypedVerb.refuse(in: Array(CommandLine.arguments.dropFirst()))
            var command = try Marey.parseAsRoot()
            try EmptyArguments.refuse(in: Array(CommandLine.arguments.dropFirst()))
            try RepeatedOptions.refuse(in: Array(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch let failure as Failure {
            if !failure.message.isEmpty { Terminal.complain(failure.message) }
            exit(failure.code)
        } catch let refusal as SessionRefusal {
            Terminal.complain(refusal.description)
            exit(refusal.kind == .misuse ? ExitStatus.misuse : ExitStatus.nothingDone)
        } catch {
            switch Marey.exitCode(for: error) {
            case .success:
                StandardOutput.print(Marey.fullMessage(for: error))
            case .validationFailure:
                Terminal.complain(Marey.fullMessage(for: error), prefixed: false)
                exit(ExitStatus.misuse)
            default:
                Terminal.complain(String(describing: error))
                exit(ExitStatus.nothingDone)
            }
        }
        if let failure = StandardOutput.failure {
            Terminal.complain(failure.message)
            exit(failure.code)
        }
    }

    /// Ends the program when it is told to stop, leaving no half-written file behind.
    private static func stopSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                switch StopRequest.take() {
                case .endInOrder(let stop): stop()
                case .same: break
                case .endAtOnce:
                    UnfinishedFiles.deleteAll()
                    _exit(128 + number)
                }
            }
            source.resume()
            return source
        }
    }
}
