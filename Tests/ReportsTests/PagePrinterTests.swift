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

    /// What is given to the browser stands in the "PDF" here.
    @Test func whatIsPrintedDoesNotTellWhereItLay() throws {
        try inFolder { folder in
            let (page, pdf) = (folder.appendingPathComponent("p.html"), folder.appendingPathComponent("p.pdf"))
            let html = """
                <p><a class="x" href="../sub-01/a%20b.html">one</a> <a href="#top">two</a>
                <a href="https://doi.org/10.1">three</a> <a download="t.tsv" href="data:text/plain,a">four</a></p>
                """
            try Data(html.utf8).write(to: page)
            let browser = folder.appendingPathComponent("browser")
            let script = """
                #!/bin/sh
                for word; do case "$word" in --print-to-pdf=*) pdf="${word#*=}";; file://*) page="${word#file://}";; esac; done
                { printf %%PDF-; cat "$page"; } > "$pdf"
                """
            try Data(script.utf8).write(to: browser)
            chmod(browser.path, 0o700)
            try PagePrinter(browser: browser).print(page, to: pdf)
            let text = try String(contentsOf: pdf, encoding: .utf8)
            #expect(!text.contains("sub-01/") && text.contains(#"<a class="x">one</a>"#), "\(text)")
            for kept in ["#top", "https://doi.org/10.1", "data:text/plain,a"] { #expect(text.contains(kept)) }
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
