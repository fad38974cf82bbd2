import Foundation
import Testing

/// One picture of a page, read back from what is drawn.
struct DrawnPicture {
    struct Path {
        var attributes: [String: String]
        /// The points of each run of the pen, in the picture's units.
        var runs: [[(x: Double, y: Double)]]
        var points: [(x: Double, y: Double)] { runs.flatMap { $0 } }
    }

    /// The left and lower axis lines, and where they end.
    struct Frame {
        var left, right, top, bottom: Double

        /// The value at a place between the two that stand at the ends of the lower axis.
        func across(_ x: Double, _ lower: Double, _ upper: Double) -> Double {
            lower + (x - left) / (right - left) * (upper - lower)
        }

        /// Where a value stands on the lower axis.
        func x(_ value: Double, _ lower: Double, _ upper: Double) -> Double {
            left + (value - lower) / (upper - lower) * (right - left)
        }

        /// The value at a height between the two that stand at the ends of the left axis.
        func up(_ y: Double, _ lower: Double, _ upper: Double) -> Double {
            lower + (bottom - y) / (bottom - top) * (upper - lower)
        }
    }

    /// In the order they are drawn.
    let paths: [Path]

    /// The picture that is called `id`.
    init(_ id: String, on page: PageReader) throws {
        let first = try #require(page.elements.firstIndex { $0.name == "svg" && $0.attributes["id"] == id }, "no \(id)")
        let rest = page.elements[(first + 1)...]
        let end = rest.firstIndex { $0.name == "svg" } ?? page.elements.endIndex
        paths = page.elements[first..<end].filter { $0.name == "path" }.map {
            Path(attributes: $0.attributes, runs: Self.runs($0.attributes["d"] ?? ""))
        }
    }

    /// The places of the paths with these attributes.
    func places(_ wanted: [String: String]) -> [Int] {
        paths.indices.filter { place in wanted.allSatisfy { paths[place].attributes[$0.key] == $0.value } }
    }

    /// The only path with these attributes.
    func path(_ wanted: [String: String]) throws -> Path {
        let places = places(wanted)
        try #require(places.count == 1, "\(places.count) paths with \(wanted)")
        return paths[places[0]]
    }

    /// The axis lines, in the order they are drawn.
    var frames: [(place: Int, frame: Frame)] {
        paths.indices.compactMap { place in
            let points = paths[place].points
            guard points.count == 3, points[0].x == points[1].x, points[1].y == points[2].y, points[0].y < points[1].y,
                points[2].x > points[1].x
            else { return nil }
            return (place, Frame(left: points[0].x, right: points[2].x, top: points[0].y, bottom: points[1].y))
        }
    }

    /// The first axis lines drawn after a path.
    func frame(after place: Int) throws -> Frame {
        try #require(frames.first { $0.place > place }).frame
    }

    /// The points of an SVG path of moves, lines, horizontal lines and ends, all relative.
    static func runs(_ d: String) -> [[(x: Double, y: Double)]] {
        var (runs, command, place): ([[(x: Double, y: Double)]], Character, (x: Double, y: Double)) = ([], "m", (0, 0))
        var (numbers, text): ([Double], String) = ([], "")
        func flush() {
            if let value = Double(text.hasPrefix(".") ? "0" + text : text.replacing("-.", with: "-0.")) {
                numbers.append(value)
            }
            text = ""
            while numbers.count >= (command == "h" ? 1 : 2) {
                let step = command == "h" ? (x: numbers[0], y: 0) : (x: numbers[0], y: numbers[1])
                numbers.removeFirst(command == "h" ? 1 : 2)
                place = (place.x + step.x, place.y + step.y)
                if command == "m" {
                    runs.append([place])
                    command = "l"
                } else {
                    runs[runs.count - 1].append(place)
                }
            }
        }
        for character in d {
            switch character {
            case "m", "l", "h", "z":
                flush()
                if character == "z", let begin = runs.last?.first { place = begin }
                command = character
            case " ": flush()
            case "-":
                flush()
                text = "-"
            default: text.append(character)
            }
        }
        flush()
        return runs
    }
}

/// A straight line through two of these pairs, and how far the others are from it at most; nil where all have one value.
func straightness(_ pairs: [(value: Double, place: Double)]) -> (slope: Double, misfit: Double)? {
    guard let low = pairs.min(by: { $0.value < $1.value }), let high = pairs.max(by: { $0.value < $1.value }),
        high.value > low.value
    else { return nil }
    let slope = (high.place - low.place) / (high.value - low.value)
    return (slope, pairs.map { abs($0.place - low.place - slope * ($0.value - low.value)) }.max() ?? 0)
}
