import ArgumentParser
import Pipeline

/// The command line: its verbs, and what `marey help` says first.
struct Marey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marey",
        abstract: "From recordings of bodies to beats, HRV, signal quality and a report you can cite.",
        discussion: """
            First steps:
              marey simulate demo.edf              a recording whose true beats are known
              marey info demo.edf                  what a file holds
              marey analyze demo.edf               beats, HRV, quality, tables and a report
              marey beats demo.edf > beats.tsv     one stage, as a table

            Reads WFDB, EDF, EDF+ and BDF, BrainVision, EEGLAB, ISHNE Holter files, XDF, AcqKnowledge and its text, text of \
            LabChart, OpenSignals and the OpenBCI GUI, Empatica E4 folders and zips, EmbracePlus Avro, Arctop sessions, Mind \
            Monitor, muse-lsl and EmotivPRO CSV, Neuroelectrics .easy, ECGs of Apple Health, ActiGraph and GENEActiv \
            CSV, Polar text, BIDS physio and events, MethodSCRIPT logs, RR-interval text and delimited text.

            Exit codes: 0 done, 1 some inputs failed or what was done could not be told, 2 misuse, 3 nothing could be \
            done, 71 a library could not be loaded. A wrong option is misuse; a wrong key or value in a file of \
            parameters (--config, study.yaml) ends with 3. The parameters are listed by marey analyze --show-parameters \
            and told one by one in docs/parameters.md.

            Marey is a research tool, not a medical device.
            """,
        version: MareyVersion.current,
        subcommands: [
            DevicesCommand.self, AcquireCommand.self, ServeCommand.self,
            InfoCommand.self, BeatsCommand.self, HRVCommand.self, RhythmCommand.self, RespirationCommand.self,
            EDACommand.self, MotionCommand.self, SleepCommand.self, EEGCommand.self, QualityCommand.self,
            AnalyzeCommand.self,
            ReportCommand.self, ConvertCommand.self, RecoverCommand.self, Simulate.self, ValidateCommand.self,
            StudyCommand.self, BatchCommand.self, UploadCommand.self,
            CalibrateCommand.self, PredictCommand.self,
        ])
}
