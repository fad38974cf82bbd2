import Acquisition
import Devices
import Quality
import Signals
import Testing

@Suite struct QAGateTests {
    private func window(_ quality: Double, _ reasons: [QualityReason] = []) -> QualityWindow {
        QualityWindow(onset: 0, duration: 2, coverage: 1, quality: quality, reasons: reasons)
    }

    /// Of a device that has been there for long.
    private var connected: QAGate {
        var gate = QAGate()
        gate.connect(at: -100)
        gate.hear(at: -99)
        return gate
    }

    @Test func aVerdictIsToldOnlyWhenItChanges() {
        var gate = connected
        #expect(gate.take(window(1), at: 1)?.passed == true)
        #expect(gate.take(window(1), at: 2) == nil)
        let bad = gate.take(window(0.1, [.noise]), at: 3)
        #expect(bad?.passed == false)
        #expect(bad?.reasons == [.noise])
        #expect(gate.take(window(0.1, [.noise]), at: 4) == nil)
    }

    @Test func signalsPassAgainAfterAWhileWithoutComplaint() {
        var gate = connected
        _ = gate.take(window(0, [.flat]), at: 10)
        #expect(gate.take(window(1), at: 12) == nil)
        #expect(gate.take(window(1), at: 13)?.passed == true)
    }

    @Test func whatWasNotLookedAtYetDoesNotPass() {
        var gate = QAGate()
        gate.connect(at: 0)
        #expect(gate.take(.battery(0.9), at: 0.1) == nil)
        gate.hear(at: 0.5)
        gate.expect(3)
        gate.expect(4)
        #expect(gate.take(.contact(true), at: 1) == nil)
        #expect(gate.take(window(1), of: 3, at: 2) == nil)
        #expect(gate.wait(until: 60) == nil)
        #expect(gate.take(window(1), of: 4, at: 61)?.passed == true)
        gate.forget()
        gate.connect(at: 70)
        #expect(gate.take(.battery(0.9), at: 71) == nil)
        #expect(gate.take(window(0, [.flat]), of: 3, at: 72)?.passed == false)
    }

    @Test func whatIsWrongBeforeAWindowTellsItIsToldAndIsNoWindow() {
        var gate = QAGate()
        gate.connect(at: 0)
        gate.expect(0)
        gate.hear(at: 1)
        #expect(gate.complain(.headbandOffHead, at: 3)?.code == 1)
        #expect(gate.complain(.headbandOffHead, at: 4) == nil)
        // On the head since, but no window was looked at yet.
        #expect(gate.wait(until: 9) == nil)
        #expect(gate.take(window(1), of: 0, at: 13)?.passed == true)
    }

    @Test func aDeviceWhoseStreamsAreNotJudgedPassesWhenItHasDeclaredThem() {
        var gate = QAGate()
        gate.connect(at: 10)
        #expect(gate.take(.battery(0.9), at: 11) == nil)
        gate.hear(at: 12)
        #expect(gate.wait(until: 14) == nil)
        let verdict = gate.wait(until: 15)
        #expect(verdict?.passed == true && verdict?.warning == "nothing judges its signals")
    }

    @Test(arguments: [DeviceStatus.contact(true), .electrodes(["TP9": 0]), .quality(.passed)])
    func whatADeviceSaysOfItsSignalsIsAJudgement(status: DeviceStatus) {
        var gate = connected
        #expect(gate.take(.contact(nil), at: 1)?.warning != nil)
        #expect(gate.take(status, at: 2)?.warning == nil)
        #expect(gate.take(.battery(0.5), at: 3) == nil)
    }

    @Test func nothingIsSaidOfADeviceThatCannotBeReached() {
        var gate = QAGate()
        #expect(gate.wait(until: 60) == nil)
        gate.connect(at: 61)
        gate.hear(at: 62)
        #expect(gate.wait(until: 70)?.passed == true)
        gate.forget()
        #expect(gate.wait(until: 90) == nil)
    }

    @Test(arguments: [
        (HeadbandQuality.headbandOffHead, 1), (.motionTooHigh, 2), (.eegFailure, 3), (.passed, 0),
    ])
    func headbandCodesKeepTheirNumbers(quality: HeadbandQuality, code: Int) {
        var gate = connected
        #expect(gate.take(.quality(quality), at: 1)?.code == code)
    }

    @Test func lostContactIsOffHeadUntilItReturns() {
        var gate = connected
        #expect(gate.take(.contact(false), at: 1)?.code == 1)
        #expect(gate.take(.contact(true), at: 2)?.passed == true)
    }

    @Test func aPluggedInDeviceIsWarnedOfThoughSignalsPass() {
        var gate = connected
        _ = gate.take(window(1), at: 1)
        let verdict = gate.take(.charging(true), at: 2)
        #expect(verdict?.passed == true)
        #expect(verdict?.warning?.contains("plugged in") == true)
    }

    @Test func whatADeviceSaidOfItselfEndsWithItsConnection() {
        var gate = connected
        _ = gate.take(.battery(0.05), at: 1)
        _ = gate.take(.charging(true), at: 2)
        gate.forget()
        gate.connect(at: 10)
        gate.hear(at: 11)
        let verdict = gate.take(window(1), at: 20)
        #expect(verdict?.passed == true && verdict?.warning == nil)
    }

    @Test func aDeviceThatSaysItIsUnpluggedIsWarnedOfNoLonger() {
        var gate = connected
        _ = gate.take(window(1), at: 1)
        #expect(gate.take(.charging(true), at: 2)?.warning != nil)
        let verdict = gate.take(.charging(false), at: 3)
        #expect(verdict != nil && verdict?.warning == nil)
    }

    @Test func anEmptyBatteryIsWarnedOf() {
        var gate = connected
        #expect(gate.take(.battery(0.07), at: 1)?.warning?.contains("7 %") == true)
    }

    @Test func aDeviceThatIsNotThereDoesNotPass() {
        var gate = QAGate()
        #expect(gate.wait(until: 100) == nil)
        gate.connect(at: 100)
        gate.hear(at: 101)
        #expect(gate.wait(until: 106)?.passed == true)
        gate.forget()
        #expect(gate.wait(until: 200) == nil)
    }

    @Test func whatTheHeadbandSaysHoldsUntilItSaysOtherwise() {
        var gate = connected
        #expect(gate.take(.quality(.headbandOffHead), at: 1)?.reasons == [.headbandOffHead])
        #expect(gate.wait(until: 60) == nil)
        #expect(gate.take(.quality(.passed), at: 61)?.passed == true)
    }

    @Test func aStrapOffTheBodyIsNoHeadband() {
        var gate = connected
        let verdict = gate.take(.contact(false), at: 1)
        #expect(verdict?.reasons == [.offBody] && verdict?.code == 1)
    }

    @Test func aPausedDeviceDoesNotPassUntilItGoesOn() {
        var gate = connected
        gate.expectFlow()
        gate.hear(at: 0)
        #expect(gate.wait(until: 1)?.passed == true)
        let paused = gate.take(.paused(true), at: 2)
        #expect(paused?.reasons == [.gap] && paused?.warning == "it is paused")
        #expect(gate.wait(until: 60) == nil)
        // What comes first after a pause may take its time.
        #expect(gate.take(.paused(false), at: 61)?.passed == true)
        #expect(gate.wait(until: 65) == nil)
        #expect(gate.wait(until: 67)?.reasons == [.gap])
    }

    @Test func aDeviceThatFallsSilentDoesNotPass() {
        var gate = QAGate()
        gate.expectFlow()
        gate.connect(at: 0)
        gate.hear(at: 5)
        #expect(gate.wait(until: 6)?.passed == true)
        #expect(gate.wait(until: 10) == nil)
        #expect(gate.wait(until: 11)?.reasons == [.gap])
        gate.hear(at: 12)
        #expect(gate.wait(until: 12)?.passed == true)
    }

    @Test("a device that says who it is and never sends does not pass until it does, also after a reconnection")
    func aMuteDeviceDoesNotPass() {
        var gate = QAGate()
        for start in [0, 100] as [Seconds] {
            gate.connect(at: start)
            #expect(gate.take(.battery(0.9), at: start + 1) == nil)
            #expect(gate.wait(until: start + 4.9) == nil)
            let verdict = gate.wait(until: start + 5)
            #expect(verdict?.passed == false && verdict?.reasons == [.gap] && verdict?.warning == nil)
            gate.hear(at: start + 20)
            #expect(gate.wait(until: start + 20)?.passed == true)
            gate.forget()
        }
    }

    @Test func anInstrumentThatWaitsToBeAskedPasses() {
        var gate = QAGate(speaksUnasked: false)
        gate.connect(at: 0)
        #expect(gate.wait(until: 4.9) == nil)
        #expect(gate.wait(until: 5)?.passed == true)
    }

    @Test func whatAServerHasLostDoesNotPassAtOnceAndPassesAWhileAfterItCameBack() {
        var gate = connected
        gate.expectFlow()
        gate.hear(at: 1)
        #expect(gate.wait(until: 1)?.passed == true)
        #expect(gate.take(.deviceBehindServer(connected: false), at: 3)?.reasons == [.gap])
        #expect(gate.wait(until: 60) == nil)
        #expect(gate.take(.deviceBehindServer(connected: true), at: 61) == nil)
        gate.hear(at: 61.1)
        #expect(gate.wait(until: 63.9) == nil)
        gate.hear(at: 64)
        #expect(gate.wait(until: 64)?.passed == true)
    }

    @Test(
        "only what is heard when something happens may be silent",
        arguments: [(["tag"], false), (["bat", "tag"], false), (["bvp", "tag"], true), (["ibi"], true)])
    func aWristbandsButtonAloneMayBeSilent(streams: [String], speaks: Bool) throws {
        var settings = EmpaticaServerSettings()
        settings.subscriptions = try streams.map { try #require(EmpaticaSubscription(rawValue: $0)) }
        #expect(EmpaticaServerConversation(settings).speaksUnasked == speaks)
        #expect(!MethodSCRIPTConversation().speaksUnasked && !LSLConversation().speaksUnasked)
    }
}
