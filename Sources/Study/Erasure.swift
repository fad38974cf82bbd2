import Foundation

/// What the erasure of a person took away, for whoever asks for a proof. It names files and numbers, no content.
public struct ErasureReceipt: Hashable, Codable, Sendable {
    /// The participant's label.
    public var participant: String
    /// The files that are gone, relative to the study; those of batches elsewhere with their whole paths.
    public var files: [String] = []
    /// Their bytes in all.
    public var bytes = 0
    /// Rows taken out of tables that list participants, and lines out of logs and lists that name them, by file.
    public var tableRows: [String: Int] = [:]
    /// Rows taken out of the bookkeeping, by table.
    public var bookkeepingRows: [String: Int] = [:]
    /// Copies that are not reached from here: what was sent elsewhere, data sets that a batch read, outputs and exports
    /// that were moved; and what others' files lead to, too, which is kept.
    public var copiesElsewhere: [String] = []
    /// What could not be deleted, written anew or read, and why: to be dealt with by hand.
    public var left: [String: String] = [:]
    /// What cannot be known here; nil where all is.
    public var remark: String?
    /// Files that were deleted under one of several names.
    fileprivate var sharedFiles: [ErasedFile.FileNumber: String] = [:]

    private enum CodingKeys: String, CodingKey {
        case participant, files, bytes, tableRows, bookkeepingRows, copiesElsewhere, left, remark
    }

    /// A receipt of nothing yet.
    init(participant: String) { self.participant = participant }
}

extension StudyFolder {
    /// What an erasure would come to, as far as it can be told before: files, copies elsewhere, and what would be left.
    /// Nothing is touched, and rows of tables are not looked for.
    /// - Parameter others: further files of the participant, relative to the study, whose names do not say so.
    /// - Throws: `StudyError` when the study has no such participant, or the bookkeeping cannot be read.
    public func foreseenErasure(of participant: String, others: [String] = []) throws -> ErasureReceipt {
        let bookkeeping = try knownBookkeeping()
        let outputs = try outputs(bookkeeping, participant)
        try demandKnown(participant, bookkeeping, outputs, others: others)
        var receipt = try receipt(of: participant, bookkeeping, outputs)
        receipt.foresee(own(participant), others: others, prefix: "")
        for output in outputs {
            if ErasedFile.isFolder(output.root) {
                receipt.foresee(output, others: [], prefix: output.root.path + "/")
            } else {
                receipt.noteLost(output)
            }
        }
        return receipt
    }

    /// Folders besides this one that hold results: outputs that the bookkeeping knows, and exports that outputs know.
    private func elsewhere(_ bookkeeping: Bookkeeping?) throws -> [String] {
        let outputs = Set(try bookkeeping?.outputs() ?? []).union(notedOutputs()).sorted()
        let exports = ([root] + outputs.map { URL(fileURLWithPath: $0) }).flatMap { BatchTraces($0).exports }
        return outputs + Set(exports).subtracting(outputs).sorted()
    }

    private func outputs(_ bookkeeping: Bookkeeping?, _ participant: String) throws -> [PersonalData] {
        try elsewhere(bookkeeping).map { path in
            PersonalData(results: URL(fileURLWithPath: path, isDirectory: true), participant: participant)
        }
    }

    /// A receipt that names copies, and nothing else yet.
    private func receipt(
        of participant: String, _ bookkeeping: Bookkeeping?, _ outputs: [PersonalData]
    ) throws -> ErasureReceipt {
        var receipt = ErasureReceipt(participant: participant)
        receipt.copiesElsewhere = try bookkeeping?.copiesElsewhere(of: participant) ?? []
        if bookkeeping == nil, !ErasedFile.isFolder(root.appendingPathComponent(".marey/batch")) {
            receipt.remark = Self.unknownOutputs
        }
        for folder in [root] + outputs.map(\.root) {
            for (file, problem) in BatchTraces(folder).problems { receipt.left[file] = problem }
        }
        let datasets = ([root] + outputs.map(\.root)).flatMap { BatchTraces($0).datasets(of: participant) }
        receipt.copiesElsewhere += Set(datasets).subtracting([root.standardizedFileURL.path]).sorted().map {
            $0 + " (the data set that the batch read)"
        }
        return receipt
    }

    /// What a receipt says of a data set that nobody notes batches in.
    private static let unknownOutputs =
        "the folder has no bookkeeping that would name outputs of marey batch outside of it: if there are any, erase the "
        + "participant from each by itself"

    /// Removes a participant from raw data, results, models, logs, outbox and bookkeeping, from tables that list
    /// participants, from the outputs of batches that the bookkeeping knows, and from what was exported from these.
    /// Files are overwritten before they are deleted; on disks that write elsewhere (SSD, snapshots, backups) older
    /// blocks may live on. The output of a batch can be given by itself: it has no bookkeeping.
    /// - Parameter others: further files of the participant, relative to the study, whose names do not say so.
    /// - Returns: what went, and what could not: an erasure that was begun goes as far as it can.
    /// - Throws: `StudyError` when the study has no such participant, a session of theirs is being recorded, or another
    ///   program is writing results into the study; nothing is touched then.
    public func erase(_ participant: String, others: [String] = []) throws -> ErasureReceipt {
        guard let bookkeeping = try knownBookkeeping() else { return try erase(participant, others, nil) }
        // From before anything is looked at until the rows are gone: whoever writes after that sees that they are.
        return try withoutWriters { try erase(participant, others, bookkeeping) }
    }

    private func erase(
        _ participant: String, _ others: [String], _ bookkeeping: Bookkeeping?
    ) throws -> ErasureReceipt {
        let own = own(participant)
        let outputs = try outputs(bookkeeping, participant)
        try demandKnown(participant, bookkeeping, outputs, others: others)
        try demandNothingRuns(own, others: others)
        for place in [own] + outputs { try demandNothingIsComputed(place) }
        var receipt = try receipt(of: participant, bookkeeping, outputs)
        if bookkeeping == nil {
            receipt.remove(own, others: others, prefix: "")
        } else {
            try lockingParticipants { receipt.remove(own, others: others, prefix: "") }
        }
        for output in outputs {
            if ErasedFile.isFolder(output.root) {
                receipt.remove(output, others: [], prefix: output.root.path + "/")
            } else {
                receipt.noteLost(output)
            }
        }
        do {
            guard let erased = try bookkeeping?.erase(participant) else { return receipt }
            receipt.bookkeepingRows = erased.rows
            if erased.isKeptByReader {
                receipt.left[".marey/study.sqlite"] =
                    "deleted, but another program is reading the file, which keeps the old content: end that program, then run"
                    + " marey study validate, which empties it"
            }
            for place in try bookkeeping?.mentions(of: participant, where: own.isTold) ?? [] {
                receipt.left[".marey/study.sqlite: \(place)"] =
                    "names the person: look at it, and change it with a program for SQLite such as sqlite3"
            }
        } catch {
            receipt.left[".marey/study.sqlite"] = "\(error)"
        }
        return receipt
    }

    /// Tables over a group are everybody's: nobody's label takes them away by a slip.
    private func demandKnown(
        _ participant: String, _ bookkeeping: Bookkeeping?, _ outputs: [PersonalData], others: [String]
    ) throws {
        if try bookkeeping?.participants().contains(participant) == true || !others.isEmpty { return }
        let places = [own(participant)] + outputs
        guard places.contains(where: \.hasOwnFiles) || places.contains(where: \.hasRows) else {
            throw StudyError(root, "has no participant \(participant)")
        }
    }

    /// A session that goes on would bring the person back.
    private func demandNothingRuns(_ own: PersonalData, others: [String]) throws {
        let files = (own.files() + others).map { own.root.appendingPathComponent($0) }
        guard let running = files.first(where: { RecordingLock.isHeld(on: $0) }) else { return }
        throw StudyError(running, "is being recorded", advice: "finish the session first, then erase")
    }

    /// A batch that goes on would bring the person's results back.
    private func demandNothingIsComputed(_ data: PersonalData) throws {
        let folder = data.root.appendingPathComponent(".marey/batch/locks")
        if ErasedFile.isFolder(data.root), access(folder.path, R_OK | X_OK) != 0, errno == EACCES {
            throw StudyError(
                folder, "cannot be read: Permission denied, so a batch may be computing a recording of the person",
                advice: "ask its owner for permission to read it, then erase")
        }
        let locks = data.files().filter { $0.hasSuffix(".lock") && ("/" + $0).contains("/.marey/batch/locks/") }
        guard let held = locks.map({ data.root.appendingPathComponent($0) }).first(where: WorkLock.isHeld) else {
            return
        }
        if let reason = WorkLock.unreadableReason(held) {
            throw StudyError(
                held, "cannot be read: \(reason); it may say that a batch is computing a recording of the person",
                advice: "ask its owner whether the batch goes on, and for permission to read it, then erase")
        }
        throw StudyError(
            held, "says that a batch is computing a recording of the person",
            advice: "stop the batch, or wait until it has ended, then erase")
    }

    private func own(_ participant: String) -> PersonalData {
        let isOutput = ErasedFile.isFolder(root.appendingPathComponent(".marey/batch"))
        return isOutput && !ErasedFile.isFile(database)
            ? PersonalData(results: root, participant: participant)
            : PersonalData(study: root, participant: participant)
    }

    /// None is made where there is none.
    private func knownBookkeeping() throws -> Bookkeeping? { ErasedFile.isFile(database) ? try Bookkeeping(self) : nil }
}

extension ErasureReceipt {
    /// Removes a person from one folder, and says so.
    fileprivate mutating func remove(_ data: PersonalData, others: [String], prefix: String) {
        let walk = data.walk()
        note(walk, of: data, prefix: prefix)
        let own = Set(data.files() + others).sorted()
        let targets = data.targets(of: own)
        for file in own {
            guard delete(file, of: data, prefix: prefix), let target = targets[file] else { continue }
            guard case .own(let path) = target else {
                note(target, ledToBy: prefix + file)
                continue
            }
            if PersonalData.isInAnnex(path) {
                ErasedFile.unlock(folder: data.root.appendingPathComponent(path).deletingLastPathComponent())
            }
            delete(path, of: data, prefix: prefix)
        }
        data.removeEmptyFolders()
        removeLinks(walk.entered.filter(data.isPersonal), of: data, prefix: prefix)
        let rows = data.removeRows()
        copiesElsewhere += sharedFiles.values.sorted()
        sharedFiles.removeAll()
        for (path, count) in rows.removed { tableRows[prefix + path] = count }
        for (path, error) in rows.left { left[prefix + path] = error }
    }

    /// - Returns: whether the file is gone now.
    @discardableResult
    private mutating func delete(_ file: String, of data: PersonalData, prefix: String) -> Bool {
        let url = data.root.appendingPathComponent(file)
        guard ErasedFile.isFile(url) else { return false }
        do {
            let deleted = try ErasedFile.delete(url)
            bytes += deleted.bytes
            files.append(prefix + file)
            left[prefix + file] = deleted.isOverwritten ? nil : "deleted, but it could not be overwritten before"
            let remark = prefix + file + " (the file has another name elsewhere, which keeps its content)"
            if let shared = deleted.shared {
                sharedFiles[shared] = remark
            } else if let number = deleted.number {
                sharedFiles[number] = nil
            }
            return true
        } catch {
            left[prefix + file] = Self.problem(error)
            return false
        }
    }

    /// Removes links to folders of the person that are empty now, innermost first, and these folders.
    private mutating func removeLinks(_ links: [String], of data: PersonalData, prefix: String) {
        guard !links.isEmpty else { return }
        for link in links.sorted(by: >) {
            if let target = ErasedFile.end(of: data.root.appendingPathComponent(link)), rmdir(target) != 0 {
                left[prefix + link] = "leads to \(target), which cannot be deleted: \(String(cString: strerror(errno)))"
                continue
            }
            delete(link, of: data, prefix: prefix)
        }
        data.removeEmptyFolders()
    }

    /// What went wrong with a file that is named beside it.
    static func problem(_ error: any Error) -> String { (error as? StudyError)?.problem ?? "\(error)" }
}
