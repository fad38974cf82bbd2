import Cardiac
import Formats
import Foundation
public import Signals

/// How well detected beats agree with reference beats, over the records of a data set.
public struct BeatValidation: Sendable {
    /// What is compared, and how.
    public struct Request: Sendable {
        /// The ending of the reference annotation files, such as `atr`; nil: the most trustworthy one with beats.
        public var annotator: String?
        /// Which stream and channel beats are detected in.
        public var source = SourceRequest()
        /// Whether each channel of the stream is scored by itself.
        public var scoresEachChannel = false
        /// The largest distances of a pair, in seconds.
        public var tolerances: [Seconds] = [0.15, 0.05, 0.02]
        /// Which part counts.
        public var convention = ScoringConvention.whole
        /// What is known of the recordings beside what their files say.
        public var groups: GroupTable?
        /// How many recordings are worked on at a time; nil: one per core.
        public var jobs: Int?

        /// The defaults.
        public init() {}
    }

    /// A recording that has no score, and why.
    public struct Unscored: Sendable {
        /// Its name.
        public var record: String
        /// Why, in words.
        public var reason: String
    }

    /// The channels that were compared, in the order of the recordings.
    public internal(set) var channels: [ValidatedChannel] = []
    /// Recordings that should have a score and could not get one.
    public internal(set) var failures: [Unscored] = []
    /// Recordings that the convention leaves out.
    public internal(set) var excluded: [Unscored] = []
    /// Recordings without heart beats to detect, which are none of the data set's business.
    public internal(set) var passedOver: [Unscored] = []
    /// The largest distances of a pair, in seconds.
    public let tolerances: [Seconds]
    /// Which part counts.
    public let convention: ScoringConvention
    /// What the beats were detected with.
    public let parameters: Parameters

    /// Compares all recordings.
    /// - Parameters:
    ///   - subjects: recordings that must have a reference.
    ///   - candidates: files that are passed over where they cannot be scored.
    ///   - progress: called with the share of the recordings that is done; from any thread.
    public init(
        of subjects: [ValidationSubject], candidates: [ValidationSubject] = [], _ request: Request,
        parameters: Parameters, progress: @Sendable (Double) -> Void = { _ in }
    ) {
        tolerances = request.tolerances
        convention = request.convention
        self.parameters = parameters
        let all = subjects.map { ($0, false) } + candidates.map { ($0, true) }
        let outcomes = concurrentMap(all, jobs: request.jobs, progress: progress) { subject, isCandidate in
            SubjectScoring(subject, isCandidate: isCandidate, request, parameters).outcome()
        }
        for ((subject, _), outcome) in zip(all, outcomes) { take(outcome, of: subject, among: all.map(\.0)) }
    }

    private mutating func take(
        _ outcome: SubjectScoring.Outcome, of subject: ValidationSubject, among all: [ValidationSubject]
    ) {
        // Records of several sets may share a name.
        let isShared = all.contains { $0.name == subject.name && $0.url != subject.url }
        let name = isShared ? "\(subject.set)/\(subject.name)" : subject.name
        func unscored(_ reason: String) -> Unscored { Unscored(record: name, reason: reason) }
        switch outcome {
        case .scored(let scored):
            channels += scored.map {
                var channel = $0
                channel.record = name
                return channel
            }
        case .failed(let reason): failures.append(unscored(reason))
        case .excluded(let reason): excluded.append(unscored(reason))
        case .passedOver(let reason): passedOver.append(unscored(reason))
        }
    }

    /// All channels added up.
    public var gross: ValidationScore { ValidationScore("gross", channels) }
}
