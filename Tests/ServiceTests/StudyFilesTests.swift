import Foundation
import Service
import Study
import TestSupport
import Testing

/// The files of sessions: all that belongs to one, and nothing else.
struct StudyFilesTests {
    /// A study with one session, its recording and a report.
    private func study(in folder: URL) throws -> (TestService, session: Int) {
        let test = try TestService(in: folder)
        let name = try #require(RunName(subject: "01", task: "rest", run: 1))
        let raw = test.study.sourcedata.appendingPathComponent(name.folder)
        let results = test.study.derivatives.appendingPathComponent(name.folder)
        for folder in [raw, results] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("raw".utf8).write(to: raw.appendingPathComponent("\(name.stem).xdf"))
        try Data("<p>report".utf8).write(to: results.appendingPathComponent("\(name.stem)_report.html"))
        // Another run's file, and a link that leads out of the study.
        try Data("other".utf8).write(to: results.appendingPathComponent("sub-01_task-rest_run-10_report.html"))
        try FileManager.default.createSymbolicLink(
            atPath: results.appendingPathComponent("\(name.stem)_passwd.tsv").path, withDestinationPath: "/etc/passwd")
        let id = try test.bookkeeping.noteRun(
            name, file: "sourcedata/\(name.folder)/\(name.stem).xdf", sha256: nil, status: .finished,
            at: TestService.now())
        return (test, Int(id))
    }

    @Test func aSessionsFilesAreItsOwnWithoutTheParticipantInTheirNames() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            let items = await test.ask("GET", "/api/sessions/\(id)/files").json["items"]?.list ?? []
            #expect(items.map { $0["name"]?.text } == ["recording.xdf", "report.html"])
            let answer = await test.ask("GET", "/api/sessions/\(id)/files/report.html")
            #expect(answer.status == 200)
            guard case .file(let url) = answer.body else { return #expect(Bool(false), "no file") }
            #expect(try Data(contentsOf: url) == Data("<p>report".utf8))
            #expect(answer.headers["Content-Security-Policy"]?.contains("sandbox") == true)
        }
    }

    @Test func ofSeveralFilesOfOneKindNoAddressHoldsTheParticipant() async throws {
        try await withTemporaryFolder { folder in
            let (test, _) = try study(in: folder)
            let name = try #require(RunName(subject: "P9visit", task: "rest", run: 1))
            let raw = test.study.sourcedata.appendingPathComponent(name.folder)
            try FileManager.default.createDirectory(at: raw, withIntermediateDirectories: true)
            let parts = ["P9visit_a.dat", "P9visit_b.dat"]
            for part in parts { try Data(count: 8).write(to: raw.appendingPathComponent(part)) }
            let header = "\(name.stem) 2 250 4\n" + parts.map { "\($0) 16 200 16 0 0 0 0 ECG\n" }.joined()
            try Data(header.utf8).write(to: raw.appendingPathComponent("\(name.stem).hea"))
            let id = try test.bookkeeping.noteRun(
                name, file: "sourcedata/\(name.folder)/\(name.stem).hea", sha256: nil, status: .finished,
                at: TestService.now())
            let items = await test.ask("GET", "/api/sessions/\(id)/files").json["items"]?.list ?? []
            let names = items.compactMap { $0["name"]?.text }
            #expect(names == ["recording-1.dat", "recording-2.dat", "recording.hea"])
        }
    }

    @Test func aLinkToAFileThatIsGoneSaysSo() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            func link() async throws -> String {
                let ticket = await test.ask("POST", "/api/sessions/\(id)/files/report.html/ticket")
                #expect(ticket.status == 201)
                return try #require(ticket.json["url"]?.text)
            }
            let (first, second) = (try await link(), try await link())
            #expect(await test.ask("GET", first, nil, key: nil).status == 200)
            try FileManager.default.removeItem(
                at: test.study.derivatives.appendingPathComponent("sub-01/sub-01_task-rest_run-1_report.html"))
            let answer = await test.ask("GET", second, nil, key: nil)
            #expect(
                answer.status == 404 && answer.json["detail"]?.text?.contains("no longer") == true, "\(answer.json)")
        }
    }

    @Test("a key that allows some predictions sees no others' tables, nor a report of a session that may have them")
    func limitedKeys() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            let key = try test.key("tablet", [.read], predictions: ["focus"])
            func names() async -> [String] {
                let items = await test.ask("GET", "/api/sessions/\(id)/files", key: key).json["items"]?.list ?? []
                return items.compactMap { $0["name"]?.text }
            }
            func hasReport() async -> Bool {
                await test.ask("GET", "/api/sessions/\(id)", key: key).json["hasReport"] == true
            }
            #expect(await names() == ["recording.xdf", "report.html"])
            #expect(await hasReport())
            let results = test.study.derivatives.appendingPathComponent("sub-01")
            let rhythm = results.appendingPathComponent(
                "sub-01_task-rest_run-1_recording-ecg_desc-rhythm_events.tsv")
            try Data().write(to: rhythm)
            #expect(await names() == ["recording.xdf"])
            try FileManager.default.removeItem(at: rhythm)
            for name in ["recording-ecg_desc-hrv_physio.tsv", "desc-focus_physio.tsv"] {
                try Data().write(to: results.appendingPathComponent("sub-01_task-rest_run-1_\(name)"))
            }
            #expect(await names() == ["desc-focus_physio.tsv", "recording.xdf"])
            #expect(await !hasReport())
            try FileManager.default.removeItem(
                at: results.appendingPathComponent("sub-01_task-rest_run-1_recording-ecg_desc-hrv_physio.tsv"))
            #expect(await names().contains("report.html"))
            // A plan that cannot be read may have asked for anything.
            let plan = test.study.sourcedata.appendingPathComponent("sub-01/sub-01_task-rest_run-1.predictions.json")
            try Data("{".utf8).write(to: plan)
            #expect(await !names().contains("report.html"))
            let session = await test.ask("GET", "/api/sessions/\(id)").json
            #expect(session["hasReport"] == true && session["start"]?.number ?? 0 > 1.7e9)
        }
    }

    @Test(arguments: [
        "..%2F..%2Fstudy.sqlite", "%2Fetc%2Fpasswd", "passwd.tsv", "..", ".", "report.html%00", "REPORT.html",
        "..%2Fsub-01_task-rest_run-1_report.html", "%2e%2e%2f%2e%2e%2f.marey%2fstudy.sqlite",
    ])
    func noNameLeadsElsewhere(name: String) async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            #expect(await test.ask("GET", "/api/sessions/\(id)/files/\(name)").status == 404)
            #expect(await test.ask("POST", "/api/sessions/\(id)/files/\(name)/ticket").status == 404)
        }
    }

    @Test("what lies behind a link to a folder elsewhere is not served, but raw data on another disk are")
    func linkedFolders() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            let files = FileManager.default
            func move(_ place: URL, to name: String) throws {
                let elsewhere = folder.appendingPathComponent(name)
                try files.moveItem(at: place, to: elsewhere)
                try files.createSymbolicLink(at: place, withDestinationURL: elsewhere)
            }
            func names() async -> [String?] {
                let items = await test.ask("GET", "/api/sessions/\(id)/files").json["items"]?.list ?? []
                return items.map { $0["name"]?.text }
            }
            try move(test.study.sourcedata, to: "disk")
            #expect(await names() == ["recording.xdf", "report.html"])
            try move(test.study.derivatives.appendingPathComponent("sub-01"), to: "elsewhere")
            #expect(await names() == ["recording.xdf"])
            #expect(await test.ask("GET", "/api/sessions/\(id)/files/report.html").status == 404)
            #expect(await test.ask("GET", "/api/sessions/\(id)").json["hasReport"] == false)
            let stimuli = folder.appendingPathComponent("stimuli/enjoyment")
            try files.createDirectory(at: stimuli, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: stimuli.appendingPathComponent("a.png"))
            try files.createSymbolicLink(
                at: test.study.root.appendingPathComponent("stimuli"),
                withDestinationURL: folder.appendingPathComponent("stimuli"))
            #expect(await test.ask("GET", "/api/stimuli/a.png").status == 404)
        }
    }

    @Test("a link works no longer than the key that asked for it")
    func linksOfARevokedKey() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            let key = try test.key("tablet", [.read])
            let path = "/api/sessions/\(id)/files/report.html/ticket"
            let links = [await test.ask("POST", path, key: key), await test.ask("POST", path, key: key)]
                .compactMap { $0.json["url"]?.text }
            try #require(links.count == 2)
            #expect(await test.ask("GET", links[0], key: nil).status == 200)
            #expect(try test.bookkeeping.revokeKey("tablet", at: TestService.now()))
            #expect(await test.ask("GET", links[1], key: nil).status == 404)
        }
    }

    @Test("a key that asks for many links loses its own oldest, and nobody else's")
    func linksOfOneKeyAmongOthers() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            let key = try test.key("tablet", [.read])
            func link(_ key: AccessToken) async throws -> String {
                let answer = await test.ask("POST", "/api/sessions/\(id)/files/report.html/ticket", key: key)
                return try #require(answer.json["url"]?.text)
            }
            let others = try await link(test.service.token)
            let first = try await link(key)
            var last = first
            for _ in 0..<300 { last = try await link(key) }
            #expect(await test.ask("GET", others, key: nil).status == 200)
            #expect(await test.ask("GET", first, key: nil).status == 404)
            #expect(await test.ask("GET", last, key: nil).status == 200)
        }
    }

    @Test func aLinkToAFileWorksOnceAndWithoutAKey() async throws {
        try await withTemporaryFolder { folder in
            let (test, id) = try study(in: folder)
            let answer = await test.ask("POST", "/api/sessions/\(id)/files/report.html/ticket")
            let link = try #require(answer.json["url"]?.text)
            #expect(await test.ask("GET", link, key: nil).status == 200)
            #expect(await test.ask("GET", link, key: nil).status == 404)
        }
    }
}
