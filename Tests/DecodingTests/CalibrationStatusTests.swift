import Decoding
import Foundation
import Signals
import Testing

@Suite struct CalibrationStatusTests {
    private let now = Timestamp(year: 2026, month: 3, day: 1)

    private func record(_ actions: [CalibrationAction]) throws -> CalibrationRecord {
        var record = CalibrationRecord()
        for action in actions { try record.apply(action, cause: "test", who: "me", at: now) }
        return record
    }

    @Test("codes are those of the wire")
    func codes() {
        #expect(CalibrationStatus.allCases.map(\.rawValue) == [-100, -1, 0, 1, 2])
        #expect(CalibrationStatus.modelsAvailable.name == "modelsAvailable")
    }

    @Test(
        "legal paths lead where they say",
        arguments: [
            ([CalibrationAction.register], CalibrationStatus.needsCalibration),
            ([.register, .complete], .calibrationDone),
            ([.register, .complete, .accept], .modelsAvailable),
            ([.register, .complete, .refuse], .needsCalibration),
            ([.register, .complete, .accept, .expire], .needsCalibration),
            ([.register, .complete, .accept, .complete], .calibrationDone),
            ([.register, .complete, .accept, .reset], .needsCalibration),
            ([.block], .blocked),
            ([.block, .unblock], .unknown),
            ([.register, .complete, .accept, .block, .unblock], .modelsAvailable),
        ])
    func paths(actions: [CalibrationAction], status: CalibrationStatus) throws {
        let record = try record(actions)
        #expect(record.status == status)
        #expect(record.history.count == actions.count)
        #expect(try CalibrationRecord(history: record.history) == record)
    }

    @Test(
        "illegal changes are refused and leave no trace",
        arguments: [
            ([], CalibrationAction.accept), ([], .complete), ([], .reset), ([], .unblock), ([.register], .register),
            ([.register], .accept), ([.register], .refuse), ([.register], .expire), ([.register, .complete], .expire),
            ([.register, .block], .complete), ([.register, .block], .block), ([.register, .block], .reset),
            ([.register, .complete, .accept], .accept), ([.register, .complete, .accept], .unblock),
        ] as [([CalibrationAction], CalibrationAction)])
    func illegal(actions: [CalibrationAction], next: CalibrationAction) throws {
        var record = try record(actions)
        let before = record
        #expect(throws: CalibrationRefusal(action: next, status: before.status)) {
            try record.apply(next, cause: "test", who: "me", at: now)
        }
        #expect(record == before)
    }

    @Test("focus stands where the worse of the two attentions does")
    func focus() {
        func status(_ visual: CalibrationStatus, _ auditory: CalibrationStatus, own: CalibrationStatus = .unknown)
            -> CalibrationStatus
        {
            Prediction.focus.status(own: own) { $0 == "visualAttention" ? visual : auditory }
        }
        #expect(status(.modelsAvailable, .modelsAvailable) == .modelsAvailable)
        #expect(status(.modelsAvailable, .needsCalibration) == .needsCalibration)
        #expect(status(.calibrationDone, .modelsAvailable) == .calibrationDone)
        #expect(status(.blocked, .modelsAvailable) == .blocked)
        #expect(status(.modelsAvailable, .modelsAvailable, own: .blocked) == .blocked)
        #expect(Prediction.heartRate.status(own: .unknown) { _ in .unknown } == .modelsAvailable)
        #expect(Prediction.enjoyment.status(own: .calibrationDone) { _ in .unknown } == .calibrationDone)
    }

    @Test("predictions are told apart by number and name, and rest on ones there are")
    func registry() {
        #expect(Prediction.all.count == 9)
        #expect(Set(Prediction.all.map(\.id)).count == 9 && Set(Prediction.all.map(\.name)).count == 9)
        for prediction in Prediction.all {
            #expect(Prediction.named(prediction.name) == prediction)
            if case .others(let names) = prediction.calibration {
                #expect(names.allSatisfy { Prediction.named($0)?.calibration == .ownTask })
            }
        }
    }

    @Test("sessions with predictions that cannot be are refused with the reason")
    func refusals() throws {
        let ready: (Prediction) -> CalibrationStatus = { _ in .modelsAvailable }
        try Prediction.demand([.focus, .heartRate], streams: [.eeg, .ecg], statuses: ready)
        #expect(throws: PredictionRefusal.excludesOthers("sleep")) {
            try Prediction.demand([.sleep, .blink], streams: [.eeg], statuses: ready)
        }
        #expect(throws: PredictionRefusal.stream("heartRate", needs: ["bvp", "ecg", "ibi"])) {
            try Prediction.demand([.heartRate], streams: [.eeg], statuses: ready)
        }
        #expect(throws: PredictionRefusal.notCalibrated("enjoyment", .calibrationDone)) {
            try Prediction.demand([.enjoyment], streams: [.eeg]) { _ in .calibrationDone }
        }
    }
}
