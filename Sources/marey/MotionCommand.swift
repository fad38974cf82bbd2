import ArgumentParser
import Foundation
import Pipeline
import Signals

struct MotionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "motion",
        abstract: "Activity, posture, steps and stillness from acceleration; skin temperature; battery.",
        discussion: """
            Example: marey motion session.zip
                     marey motion session.zip --stream temperature

            Acceleration is told in epochs of 5 s: ENMO, MAD, counts, angles of the axes, steps, stillness. Skin \
            temperature has mean, slope and whether the sensor was worn; batteries have slope and remaining time.
            """)

    @Argument(help: "The recording.")
    var file: String

    @Option(
        help: """
            The stream: its name, its kind (acceleration, temperature, battery) or its number from 0. Default: \
            acceleration, else temperature, else battery.
            """)
    var stream: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var parameters: StageParameterOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.demandPlace(beside: file, and: input.files + parameters.files)
        let bar = ProgressBar("motion")
        let result = try BodyReading.motion(
            of: URL(fileURLWithPath: file), SourceRequest(stream: stream),
            parameters: parameters.parameters(window: "motion.epoch"),
            opening: input.open, progress: bar.show)
        bar.clear()
        try output.emit(result.table)
    }
}
