public import Devices
public import Quality
public import Signals

/// Whether a device's signals can be used now, in the form of the headband codes plus the reasons behind them.
public struct QAVerdict: Hashable, Codable, Sendable {
    /// Whether all is well.
    public var passed: Bool
    /// Why not, worst first; empty when all is well.
    public var reasons: [QualityReason]
    /// Something the user should know though the signals pass: the device is plugged in, its battery is nearly empty.
    public var warning: String?

    /// The headband's wire code for it: 0 passed, 1 off head, 2 motion too high, 3 failure.
    public var code: Int {
        if passed { return 0 }
        return reasons.compactMap(\.wireCode).min() ?? 3
    }

    /// A verdict with its reasons.
    public init(passed: Bool, reasons: [QualityReason] = [], warning: String? = nil) {
        (self.passed, self.reasons, self.warning) = (passed, reasons, warning)
    }
}

/// Judges one device from the windows of its streams and what it says of itself. A verdict is told when it changes;
/// it changes for the worse at once and for the better after `recovery` seconds without a complaint. What was not looked at
/// yet does not pass: a device that has just been connected waits for the first window of each stream that is judged. Where
/// nothing judges a device's signals, and it says nothing of them itself, it passes with a warning that says so, but
/// not before anything came of it: one that never sends does not pass.
public struct QAGate: Sendable {
    /// Seconds without a complaint before signals pass again.
    public static let recovery: Seconds = 3
    /// Seconds in which a connected device declares its streams.
    public static let declaration: Seconds = 5
    /// Seconds without a sample after which a device that sends all the time counts as silent.
    public static let silence: Seconds = 5
    /// The streams that are judged, and those of them that were not yet.
    private var judged: Set<Int> = []
    private var awaited: Set<Int> = []
    private var connected: Seconds?
    private var complaints: [QualityReason: Seconds] = [:]
    /// What the device itself says, until it says otherwise.
    private var isSpokenFor = false
    private var offBody: QualityReason?
    private var headband: QualityReason?
    private var flows = false
    private let speaksUnasked: Bool
    /// Whether samples came since it was connected.
    private var hasSpoken = false
    private var isPaused = false
    /// Whether the server that is connected has lost the device itself.
    private var isGone = false
    private var heard: Seconds?
    /// The silent streams of a known rate.
    private var silent: Set<Int> = []
    private var charging = false
    private var battery: Double?
    private var told: QAVerdict?

    /// A device of which nothing is known.
    /// - Parameter speaksUnasked: whether it sends as soon as it is connected, whatever streams it will declare.
    public init(speaksUnasked: Bool = true) {
        self.speaksUnasked = speaksUnasked
    }

    /// The device is there.
    public mutating func connect(at moment: Seconds) { (connected, heard) = (moment, moment) }

    /// The device sends all the time, not only when it is asked to measure.
    public mutating func expectFlow() { flows = true }

    /// Samples came.
    public mutating func hear(at moment: Seconds) { (heard, hasSpoken) = (moment, true) }

    /// A stream of a known rate became silent.
    public mutating func fallSilent(_ stream: Int, at moment: Seconds) -> QAVerdict? {
        silent.insert(stream)
        return verdict(at: moment)
    }

    /// A stream that was silent goes on.
    public mutating func goOn(_ stream: Int, at moment: Seconds) -> QAVerdict? {
        silent.remove(stream)
        return verdict(at: moment)
    }

    /// One of the device's streams will be judged.
    public mutating func expect(_ stream: Int) {
        if judged.insert(stream).inserted { awaited.insert(stream) }
    }

    /// Time goes on.
    public mutating func wait(until moment: Seconds) -> QAVerdict? { verdict(at: moment) }

    /// A window of one of the device's streams.
    public mutating func take(_ window: QualityWindow, of stream: Int = 0, at moment: Seconds) -> QAVerdict? {
        awaited.remove(stream)
        isSpokenFor = true
        if !window.isGood {
            let reasons = window.reasons.isEmpty ? [.noise] : window.reasons
            for reason in reasons { complaints[reason] = moment }
        }
        return verdict(at: moment)
    }

    /// Something is wrong with one of the device's streams that its next windows will tell.
    public mutating func complain(_ reason: QualityReason, at moment: Seconds) -> QAVerdict? {
        complaints[reason] = moment
        return verdict(at: moment)
    }

    /// Something the device says of itself.
    public mutating func take(_ status: DeviceStatus, at moment: Seconds) -> QAVerdict? {
        switch status {
        case .contact(let contact):
            isSpokenFor = isSpokenFor || contact != nil
            offBody = contact == false ? .offBody : nil
        case .electrodes(let fit):
            isSpokenFor = true
            let isOff = !fit.isEmpty && fit.values.filter { $0 >= 0.9 }.count * 2 > fit.count
            offBody = isOff ? .headbandOffHead : nil
        case .charging(let isCharging): charging = isCharging
        case .battery(let charge): battery = charge
        case .quality(let quality):
            isSpokenFor = true
            headband =
                switch quality {
                case .passed: nil
                case .headbandOffHead: .headbandOffHead
                case .motionTooHigh: .motionTooHigh
                case .eegFailure: .eegFailure
                }
        case .paused(let isPaused):
            self.isPaused = isPaused
            heard = moment
        case .deviceBehindServer(let isThere):
            if isGone, isThere { complaints[.gap] = moment }
            isGone = !isThere
            // What comes first may take its time.
            heard = moment
        default: return nil
        }
        return verdict(at: moment)
    }

    /// The device went or came back.
    public mutating func forget() {
        complaints = [:]
        (offBody, headband, told) = (nil, nil, nil)
        (charging, battery, isPaused, isSpokenFor) = (false, nil, false, false)
        (isGone, hasSpoken) = (false, false)
        silent = []
        (awaited, connected, heard) = (judged, nil, nil)
    }

    /// Whether nothing can be said for the signals yet.
    private func isTooEarly(at moment: Seconds) -> Bool {
        guard let connected else { return true }
        return !awaited.isEmpty || judged.isEmpty && moment < connected + Self.declaration
    }

    private func isSilent(at moment: Seconds) -> Bool {
        guard let connected, let heard else { return false }
        // A device that never sends declares no streams either.
        if !flows { return speaksUnasked && !hasSpoken && moment >= connected + Self.declaration }
        return moment - heard > Self.silence
    }

    /// The verdict, when it changed.
    private mutating func verdict(at moment: Seconds) -> QAVerdict? {
        complaints = complaints.filter { moment - $0.value < Self.recovery }
        var reasons = complaints.keys.sorted { $0.rawValue < $1.rawValue }
        let isMissing = isPaused || isGone || isSilent(at: moment) || !silent.isEmpty
        for said in [isMissing ? .gap : nil, headband, offBody] {
            if let said, !reasons.contains(said) { reasons.insert(said, at: 0) }
        }
        if reasons.isEmpty, isTooEarly(at: moment) { return nil }
        let warning: String? =
            if charging {
                "it is plugged in: signals may be wrong and it may stop at any time"
            } else if isPaused {
                "it is paused"
            } else if let battery, battery < 0.1 {
                "its battery is at \(Int((battery * 100).rounded())) %"
            } else if reasons.isEmpty, judged.isEmpty, !isSpokenFor {
                "nothing judges its signals"
            } else {
                nil
            }
        let verdict = QAVerdict(passed: reasons.isEmpty, reasons: reasons, warning: warning)
        guard verdict != told else { return nil }
        told = verdict
        return verdict
    }
}
