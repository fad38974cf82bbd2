import ArgumentParser

struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Analyze all recordings of a cohort, on this machine or a cluster.",
        discussion: """
            Example: marey batch my-dataset results participant --n-cpus 8
                     marey batch my-dataset results group
                     marey batch status results
                     marey batch my-dataset results participant --executor slurm \\
                       --partition short --then-group

            The data set is a BIDS data set or a study (EDF, BDF, BrainVision, EEGLAB and physio files, XDF under \
            sourcedata), or any folder whose study.yaml says how recordings are called:

                cohort:
                  recordings: "{subject}/{session}.zip"

            What is done is not done again unless recording, parameters or version changed. A recording that fails does \
            not stop the others; it is named at the end and tried again with --retry-failed. Stopped or killed at any \
            moment, the same command goes on where it was. The same results come out however many workers there are.
            """,
        subcommands: [BatchRun.self, BatchStatusCommand.self, BatchExport.self, BatchWork.self, BatchTask.self],
        defaultSubcommand: BatchRun.self)
}
