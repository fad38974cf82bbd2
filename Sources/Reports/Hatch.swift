/// The lines or dots of hatched rectangles as strokes: printing makes a bitmap of every shape that an SVG `pattern`
/// fills, which takes ten times the room of the whole page.
extension Fill.Pattern {
    typealias Rectangle = (x: Double, y: Double, width: Double, height: Double)

    /// How far lines lie apart. They go through the same places all over a picture, so that neighbours meet.
    private static let pitch = 6.0

    /// Appends what lies within a rectangle.
    func append(to path: inout PathText, within rectangle: Rectangle) {
        guard rectangle.x.isFinite, rectangle.y.isFinite, rectangle.width < 1e5, rectangle.height < 1e5 else { return }
        switch self {
        case .plain: break
        case .rising: Self.rising(rectangle, &path)
        case .falling: Self.falling(rectangle, &path)
        case .upright: Self.upright(rectangle, &path)
        case .level: Self.level(rectangle, &path)
        case .crossed:
            Self.level(rectangle, &path)
            Self.upright(rectangle, &path)
        case .dotted:
            for offset in [1.5, 4.5] {
                for y in Self.places(offset, from: rectangle.y, to: rectangle.y + rectangle.height) {
                    for x in Self.places(offset, from: rectangle.x, to: rectangle.x + rectangle.width) {
                        path.move(x, y)
                        path.line(x, y)
                    }
                }
            }
        }
    }

    private static func upright(_ rectangle: Rectangle, _ path: inout PathText) {
        for x in places(3, from: rectangle.x, to: rectangle.x + rectangle.width) {
            path.move(x, rectangle.y)
            path.line(x, rectangle.y + rectangle.height)
        }
    }

    private static func level(_ rectangle: Rectangle, _ path: inout PathText) {
        for y in places(3, from: rectangle.y, to: rectangle.y + rectangle.height) {
            path.move(rectangle.x, y)
            path.line(rectangle.x + rectangle.width, y)
        }
    }

    /// Lines on each of which x + y is the same.
    private static func rising(_ rectangle: Rectangle, _ path: inout PathText) {
        let (left, right) = (rectangle.x, rectangle.x + rectangle.width)
        let (top, bottom) = (rectangle.y, rectangle.y + rectangle.height)
        for sum in places(0, from: left + top, to: right + bottom) {
            let (first, last) = (max(left, sum - bottom), min(right, sum - top))
            path.move(first, sum - first)
            path.line(last, sum - last)
        }
    }

    /// Lines on each of which x − y is the same.
    private static func falling(_ rectangle: Rectangle, _ path: inout PathText) {
        let (left, right) = (rectangle.x, rectangle.x + rectangle.width)
        let (top, bottom) = (rectangle.y, rectangle.y + rectangle.height)
        for difference in places(0, from: left - bottom, to: right - top) {
            let (first, last) = (max(left, difference + top), min(right, difference + bottom))
            path.move(first, first - difference)
            path.line(last, last - difference)
        }
    }

    private static func places(_ offset: Double, from lower: Double, to upper: Double) -> StrideTo<Double> {
        let first = ((lower - offset) / pitch).rounded(.up) * pitch + offset
        return stride(from: first, to: upper, by: pitch)
    }
}
