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
/// it changes for the worse at once and for the better after `recovery` seconds without a complaint.
public struct QAGate: Sendable {
    /// Seconds without a complaint before signals pass again.
    public static let recovery: Seconds = 3
    private var complaints: [QualityReason: Seconds] = [:]
    private var isOffBody = false
    private var charging = false
    private var battery: Double?
    private var told: QAVerdict?

    /// A device of which nothing is known.
    public init() {}

    /// A window of one of the device's streams.
    public mutating func take(_ window: QualityWindow, at moment: Seconds) -> QAVerdict? {
        if !window.isGood {
            let reasons = window.reasons.isEmpty ? [.noise] : window.reasons
            for reason in reasons { complaints[reason] = moment }
        }
        return verdict(at: moment)
    }

    /// Something the device says of itself.
    public mutating func take(_ status: DeviceStatus, at moment: Seconds) -> QAVerdict? {
        switch status {
        case .contact(let contact): isOffBody = contact == false
        case .electrodes(let fit):
            isOffBody = !fit.isEmpty && fit.values.filter { $0 >= 0.9 }.count * 2 > fit.count
        case .charging(let isCharging): charging = isCharging
        case .battery(let charge): battery = charge
        case .quality(let quality):
            let reason: QualityReason? =
                switch quality {
                case .passed: nil
                case .headbandOffHead: .headbandOffHead
                case .motionTooHigh: .motionTooHigh
                case .eegFailure: .eegFailure
                }
            if let reason { complaints[reason] = moment }
        default: return nil
        }
        return verdict(at: moment)
    }

    /// The device went or came back.
    public mutating func forget() {
        complaints = [:]
        isOffBody = false
        told = nil
    }

    /// The verdict, when it changed.
    private mutating func verdict(at moment: Seconds) -> QAVerdict? {
        complaints = complaints.filter { moment - $0.value < Self.recovery }
        var reasons = complaints.keys.sorted { $0.rawValue < $1.rawValue }
        if isOffBody { reasons.insert(.headbandOffHead, at: 0) }
        let warning: String? =
            if charging {
                "it is plugged in: signals may be wrong and it may stop at any time"
            } else if let battery, battery < 0.1 {
                "its battery is at \(Int((battery * 100).rounded())) %"
            } else {
                nil
            }
        let verdict = QAVerdict(passed: reasons.isEmpty, reasons: reasons, warning: warning)
        guard verdict != told else { return nil }
        told = verdict
        return verdict
    }
}
