/// What every page has around its content: style inside, a link to skip to the summary, sections, a footer.
struct PageShell {
    /// One part of a page.
    struct Section {
        var id: String
        var heading: String
        var write: (inout Markup) -> Void
    }

    var title: String
    var software: String
    /// What runs on the page; nil for none.
    var script: String?
    var writeHeader: (inout Markup) -> Void
    var sections: [Section]

    /// The page: nothing is fetched, and the same content gives the same bytes. It is also well-formed XML.
    func html() -> String {
        var page = Markup()
        page.element("html", [("lang", "en"), ("xmlns", "http://www.w3.org/1999/xhtml")]) { html in
            html.element("head") { head in
                head.empty("meta", [("charset", "utf-8")])
                head.empty("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
                head.empty("meta", [("name", "generator"), ("content", software)])
                head.element("title", text: title)
                head.code("style", PageStyle.source)
            }
            html.newline()
            html.element("body") { write(to: &$0) }
        }
        return "<!DOCTYPE html>\n" + page.source + "\n"
    }

    private func write(to body: inout Markup) {
        body.element("a", [("class", "skip"), ("href", "#summary")], text: "Skip to the summary")
        writeHeader(&body)
        body.element("main") { main in
            for section in sections {
                main.newline()
                main.element("section", [("id", section.id)]) { content in
                    content.element("h2", text: section.heading)
                    section.write(&content)
                }
            }
        }
        body.element("footer") { footer in
            footer.element("p") { line in
                line.element("strong", text: "Not a medical device. ")
                line.text("For research only; not for diagnosis, monitoring or treatment.")
            }
            footer.element("p", text: "Made by \(software). This page is complete in itself and needs no network.")
        }
        if let script {
            body.newline()
            body.code("script", script)
        }
    }
}
