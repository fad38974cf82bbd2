import ArgumentParser
import Foundation
import Kernels

/// Where the program starts: parses the command line, runs the verb, and turns every outcome into an exit code.
@main
enum Main {
    static func main() {
        LinearAlgebra.useOneThread()
        // Participants' data is personal: what is written can be read by its owner alone.
        umask(0o077)
        do {
            var command = try Marey.parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            if !failure.message.isEmpty { Terminal.complain(failure.message) }
            exit(failure.code)
        } catch {
            switch Marey.exitCode(for: error) {
            case .success:
                print(Marey.fullMessage(for: error))
            case .validationFailure:
                Terminal.complain(Marey.fullMessage(for: error), prefixed: false)
                exit(ExitStatus.misuse)
            default:
                Terminal.complain(String(describing: error))
                exit(ExitStatus.nothingDone)
            }
        }
    }
}
