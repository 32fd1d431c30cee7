extension ModelDiagram {
    /// The drawing as an SVG file.
    ///
    /// A bar at the end of a line means one, a crow's foot several, an arrow a relationship without
    /// an inverse, a hollow triangle a parent. Rows show cardinality and delete rule.
    public var svg: String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(number(size.x))" \
            height="\(number(size.y))" viewBox="0 0 \(number(size.x)) \(number(size.y))">
            <style>
            text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1b1f24; }
            .title { font-weight: bold; }
            .abstract { font-style: italic; }
            rect { fill: #ffffff; stroke: #57606a; }
            .head { fill: #ddf4ff; }
            path { fill: none; stroke: #57606a; stroke-width: 1.2; }
            .parent { stroke-dasharray: 5 3; }
            .mark { fill: #ffffff; }
            </style>
            <rect x="0" y="0" width="100%" height="100%" style="stroke: none"/>

            """
        for line in lines { text += svg(of: line) }
        for box in boxes { text += svg(of: box) }
        return text + "</svg>\n"
    }

    private func svg(of line: Line) -> String {
        let path = line.points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: " L ")
        let style = line.kind == .parent ? " class=\"parent\"" : ""
        var text = "<path\(style) d=\"M \(path)\"/>\n"
        guard let first = line.points.first, let last = line.points.last, line.points.count > 1
        else { return text }
        text += mark(line.start, at: first, toRight: line.points[1].x > first.x)
        text += mark(line.end, at: last, toRight: line.points[line.points.count - 2].x > last.x)
        return text
    }

    /// A mark beside a box, to its right or left.
    private func mark(_ end: Line.End, at point: Point, toRight: Bool) -> String {
        func at(_ x: Double, _ y: Double) -> String {
            "\(number(point.x + (toRight ? x : -x))) \(number(point.y + y))"
        }
        let path =
            switch end {
            case .none: ""
            case .one: "M \(at(7, -5)) L \(at(7, 5))"
            case .many: "M \(at(0, -5)) L \(at(10, 0)) L \(at(0, 5))"
            case .arrow: "M \(at(9, -5)) L \(at(0, 0)) L \(at(9, 5))"
            case .triangle: "M \(at(0, 0)) L \(at(12, -7)) L \(at(12, 7)) Z"
            }
        return path.isEmpty ? "" : "<path class=\"mark\" d=\"\(path)\"/>\n"
    }

    private func svg(of box: Box) -> String {
        let frame = box.frame
        let size = "width=\"\(number(frame.width))\""
        let corner = "x=\"\(number(frame.x))\" y=\"\(number(frame.y))\""
        var text = "<rect \(corner) \(size) height=\"\(number(frame.height))\" rx=\"4\"/>\n"
        text +=
            "<rect class=\"head\" \(corner) \(size) height=\"\(number(Self.headHeight))\" rx=\"4\"/>\n"
        let style = box.isAbstract ? "title abstract" : "title"
        text += label(box.title, style, frame.x, frame.y + 17)
        for (index, row) in box.rows.enumerated() {
            let y = frame.y + Self.headHeight + Double(index) * Self.rowHeight + 17
            text += label(row.text, nil, frame.x, y)
        }
        return text
    }

    private func label(_ text: String, _ style: String?, _ x: Double, _ y: Double) -> String {
        let style = style.map { " class=\"\($0)\"" } ?? ""
        return "<text\(style) x=\"\(number(x + 10))\" y=\"\(number(y))\">\(escaped(text))</text>\n"
    }

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }

    private func number(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return Int(exactly: rounded).map { String($0) } ?? String(rounded)
    }
}
