public import Foundation

extension URL {
    /// The JSON file beside a recording or a table that says what it holds: of the same name, with `json` for its last
    /// ending.
    public var jsonSidecar: URL { deletingPathExtension().appendingPathExtension("json") }
}
