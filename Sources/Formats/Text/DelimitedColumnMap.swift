public import Signals

/// What the columns of a delimited text file are, for files whose header does not tell. Everything left out is found
/// out from the file.
///
/// A column is named by its header, or by its number from 1 on.
public struct ColumnMap: Codable, Hashable, Sendable {
    /// The character between cells: `,`, `;`, a tab or a blank (which stands for any number of blanks).
    public var delimiter: String?
    /// The decimal mark, `.` or `,`.
    public var decimalMark: String?
    /// Lines at the top that are passed over.
    public var skipRows: Int?
    /// What comment lines begin with; `#` when left out.
    public var commentPrefix: String?
    /// Samples per second. Needed where there is no time column; where there is one, it tells the unit of times that do
    /// not tell it themselves, and is not used otherwise.
    public var sampleRate: Double?
    /// The column with the times.
    public var time: TimeColumn?
    /// The columns to read. When left out, all columns with numbers are read.
    public var columns: [MappedColumn]?
    /// False where the first line is data, whatever it holds; true where it is a header, even one of numbers alone; when
    /// left out, it is told from the lines.
    public var hasHeader: Bool?

    /// A map that leaves everything to be found out but what is given.
    public init(
        delimiter: String? = nil, decimalMark: String? = nil, skipRows: Int? = nil, commentPrefix: String? = nil,
        sampleRate: Double? = nil, time: TimeColumn? = nil, columns: [MappedColumn]? = nil, hasHeader: Bool? = nil
    ) {
        self.delimiter = delimiter
        self.decimalMark = decimalMark
        self.skipRows = skipRows
        self.commentPrefix = commentPrefix
        self.sampleRate = sampleRate
        self.time = time
        self.columns = columns
        self.hasHeader = hasHeader
    }

    /// The column with the times, and their unit.
    public struct TimeColumn: Codable, Hashable, Sendable {
        /// Header or number of the column.
        public var column: String
        /// The unit; when left out it is told from the header and the numbers.
        public var unit: TimeUnit?

        /// A time column.
        public init(column: String, unit: TimeUnit? = nil) {
            self.column = column
            self.unit = unit
        }
    }

    /// The units of a time column.
    public enum TimeUnit: String, Codable, CaseIterable, Sendable {
        /// Seconds.
        case seconds = "s"
        /// Milliseconds.
        case milliseconds = "ms"
        /// Microseconds.
        case microseconds = "us"
        /// Nanoseconds.
        case nanoseconds = "ns"
        /// Minutes.
        case minutes = "min"
        /// Hours.
        case hours = "h"
        /// Days.
        case days = "d"
        /// Date and time of day, `2026-03-01T12:30:05.250+01:00`; UTC where no zone is given. Times of day without a
        /// date, `23:59:59.980`, may pass midnight; the recording then has no start.
        case iso8601 = "iso"
        /// Dates whose day comes first, `1/3/2024 14:05:00`.
        case dayFirst = "dmy"
        /// Dates whose month comes first, `3/1/2024 2:05:00 PM`.
        case monthFirst = "mdy"

        /// Units in a second; 1 for dates, which are read as seconds.
        var perSecond: Double {
            switch self {
            case .seconds, .iso8601, .dayFirst, .monthFirst: 1
            case .milliseconds: 1e3
            case .microseconds: 1e6
            case .nanoseconds: 1e9
            case .minutes: 1 / 60.0
            case .hours: 1 / 3_600.0
            case .days: 1 / 86_400.0
            }
        }

        /// Whether clocks that count them since 1970 are in use; days are counted from other dates too.
        var countsSince1970: Bool {
            switch self {
            case .seconds, .milliseconds, .microseconds, .nanoseconds, .iso8601, .dayFirst, .monthFirst: true
            case .minutes, .hours, .days: false
            }
        }
    }

    /// A column with samples or markers.
    public struct MappedColumn: Codable, Hashable, Sendable {
        /// Header or number of the column.
        public var column: String
        /// What it measures; told from the header when left out. A column of `marker` is no signal: its cells are
        /// markers, as `Delimited` tells.
        public var kind: StreamKind?
        /// Its unit; told from the header when left out.
        public var unit: String?
        /// What to call it; its header when left out.
        public var label: String?

        /// A column with samples or markers.
        public init(column: String, kind: StreamKind? = nil, unit: String? = nil, label: String? = nil) {
            self.column = column
            self.kind = kind
            self.unit = unit
            self.label = label
        }
    }
}
