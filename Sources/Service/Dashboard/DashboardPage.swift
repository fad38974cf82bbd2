import Crypto
import Foundation

/// The page: one document with its style and script in it, so that one request brings all and no build step is needed.
enum DashboardPage {
    static let html = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Marey</title><link rel="icon" href="data:,"><style>\(DashboardStyle.source)</style></head>
        <body>\(DashboardMarkup.source)<script>\(script)</script></body></html>
        """

    /// The scripts in the order in which they need each other.
    private static let script = [
        DashboardClient.source, DashboardTraces.source, DashboardViews.source,
        DashboardBoard.source, DashboardTaskRun.source, DashboardStimuli.source, DashboardTasks.source,
        DashboardMain.source,
    ].joined(separator: "\n")

    /// The page may run its own script alone and talk to nobody but this service.
    static let policy: String = {
        let digest = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        return "default-src 'none'; script-src 'sha256-\(digest)'; style-src 'unsafe-inline'; connect-src 'self'; "
            + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }()

    static var response: ServiceResponse {
        var response = ServiceResponse(type: "text/html; charset=utf-8", .data(Data(html.utf8)))
        response.headers["Content-Security-Policy"] = policy
        return response
    }
}
