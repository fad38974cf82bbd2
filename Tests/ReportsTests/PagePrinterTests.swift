import Foundation
import Reports
import Testing

@Suite struct PagePrinterTests {
    private static let hasBrowser: Bool = {
        if (try? PagePrinter()) != nil { return true }
        print("skipped: no Chromium to print with")
        return false
    }()

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("print-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test(.enabled(if: Self.hasBrowser)) func aReportBecomesAPDF() throws {
        try inFolder { folder in
            let page = folder.appendingPathComponent("a page #1.html")
            try Data(ReportFixture.recording(duration: 300).html().utf8).write(to: page)
            let pdf = folder.appendingPathComponent("a page.pdf")
            try PagePrinter().print(page, to: pdf)
            let data = try Data(contentsOf: pdf)
            #expect(data.starts(with: Data("%PDF-".utf8)) && data.count > 20_000)
        }
    }

    @Test func aBrowserThatDoesNotPrintLeavesWhatWasThere() throws {
        try inFolder { folder in
            let (page, pdf) = (folder.appendingPathComponent("p.html"), folder.appendingPathComponent("p.pdf"))
            try Data("<p>text</p>".utf8).write(to: page)
            try Data("before".utf8).write(to: pdf)
            let printer = try PagePrinter(browser: URL(fileURLWithPath: "/bin/false"))
            #expect(throws: PrintError.failed(page: page.relativePath, remark: "it said nothing")) {
                try printer.print(page, to: pdf)
            }
            #expect(try Data(contentsOf: pdf) == Data("before".utf8))
        }
    }

    @Test func withoutABrowserTheMessageSaysHowToGetOne() {
        #expect(throws: PrintError.noBrowser) { try PagePrinter(environment: ["PATH": "/nowhere"]) }
        #expect(PrintError.noBrowser.description.contains("apt install chromium"))
    }

    @Test func aPageThatIsNotThereIsNamed() throws {
        let printer = try PagePrinter(browser: URL(fileURLWithPath: "/bin/true"))
        #expect(throws: PrintError.file("/nowhere/p.html", problem: "cannot be read")) {
            try printer.print(URL(fileURLWithPath: "/nowhere/p.html"), to: URL(fileURLWithPath: "/tmp/p.pdf"))
        }
    }
}
