// Routing, in three steps:
//   1. choose for each line the gutter at either end: the one between the boxes if their columns
//      are neighbours, else the one on the side of the other box, connected over the margin;
//   2. give each vertical piece a lane of its gutter and each horizontal piece over the columns a
//      lane of the margin, so that pieces that overlap have different lanes;
//   3. when the widths of the gutters are known, set the places of the boxes and the corners.

extension ModelDiagram {
    /// A vertical piece of a line: gutter 0 is left of the first column, n right of column n - 1.
    private struct Upright {
        let line: Int
        let gutter: Int
        let isStart: Bool
        let span: ClosedRange<Double>
    }

    /// An end of a line: a box, and the vertical offset of its row.
    private struct Anchor {
        let box: Int
        let y: Double
    }

    private struct Route {
        let from: Anchor
        let to: Anchor
        let gutters: (start: Int, end: Int)
        var lanes = (start: 0, end: 0, margin: 0)

        var usesMargin: Bool { gutters.start != gutters.end }
    }

    mutating func route(_ links: [DiagramLink]) {
        let numbers = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($1.entity, $0) })
        var routes: [Route] = []
        for link in links {
            guard let from = anchor(link.from, numbers), let to = anchor(link.to, numbers) else {
                continue
            }
            routes.append(Route(from: from, to: to, gutters: gutters(from, to)))
            lines.append(Line(kind: link.kind, start: link.start, end: link.end, points: []))
        }
        let lanes = assignLanes(&routes)
        place(gutterLanes: lanes.gutters, marginLanes: lanes.margin, routes)
    }

    private func anchor(_ place: DiagramLink.Place, _ numbers: [String: Int]) -> Anchor? {
        guard let box = numbers[place.entity] else { return nil }
        guard let property = place.property,
            let row = boxes[box].rows.firstIndex(where: { $0.property == property })
        else { return Anchor(box: box, y: ModelDiagram.headHeight / 2) }
        let y = ModelDiagram.headHeight + (Double(row) + 0.5) * ModelDiagram.rowHeight + 4
        return Anchor(box: box, y: y)
    }

    private func gutters(_ from: Anchor, _ to: Anchor) -> (Int, Int) {
        let (left, right) = (boxes[from.box].column, boxes[to.box].column)
        if left == right { return (left + 1, left + 1) }
        return left < right ? (left + 1, right) : (left, right + 1)
    }

    private func assignLanes(_ routes: inout [Route]) -> (gutters: [Int], margin: Int) {
        var uprights: [Upright] = []
        let margin = -ModelDiagram.gap
        for (line, route) in routes.enumerated() {
            let from = boxes[route.from.box].frame.y + route.from.y
            let to = boxes[route.to.box].frame.y + route.to.y
            if route.usesMargin {
                uprights.append(
                    Upright(
                        line: line,
                        gutter: route.gutters.start,
                        isStart: true,
                        span: margin...from
                    )
                )
                uprights.append(
                    Upright(
                        line: line,
                        gutter: route.gutters.end,
                        isStart: false,
                        span: margin...to
                    )
                )
            } else {
                uprights.append(
                    Upright(
                        line: line,
                        gutter: route.gutters.start,
                        isStart: true,
                        span: min(from, to)...max(from, to)
                    )
                )
            }
        }
        let columns = (boxes.map(\.column).max() ?? -1) + 1
        var counts = [Int](repeating: 0, count: columns + 1)
        let byGutter = Dictionary(grouping: uprights, by: \.gutter)
        for (gutter, members) in byGutter {
            let lanes = ModelDiagram.lanes(for: members.map(\.span), margin: 3)
            counts[gutter] = (lanes.max() ?? -1) + 1
            for (upright, lane) in zip(members, lanes) {
                if upright.isStart { routes[upright.line].lanes.start = lane }
                if !upright.isStart || !routes[upright.line].usesMargin {
                    routes[upright.line].lanes.end = lane
                }
            }
        }
        let over = routes.indices.filter { routes[$0].usesMargin }
        let spans = over.map { index in
            let (start, end) = routes[index].gutters
            return Double(min(start, end))...Double(max(start, end))
        }
        let lanes = ModelDiagram.lanes(for: spans, margin: 0.5)
        for (index, lane) in zip(over, lanes) { routes[index].lanes.margin = lane }
        return (counts, (lanes.max() ?? -1) + 1)
    }

    /// The first lane for each span in which it overlaps no other.
    private static func lanes(for spans: [ClosedRange<Double>], margin: Double) -> [Int] {
        var result = [Int](repeating: 0, count: spans.count)
        var taken: [[ClosedRange<Double>]] = []
        let order = spans.indices.sorted {
            (spans[$0].lowerBound, spans[$0].upperBound, $0)
                < (spans[$1].lowerBound, spans[$1].upperBound, $1)
        }
        for index in order {
            let span = (spans[index].lowerBound - margin)...(spans[index].upperBound + margin)
            let free = taken.firstIndex { lane in !lane.contains { $0.overlaps(span) } }
            if let free {
                taken[free].append(span)
                result[index] = free
            } else {
                result[index] = taken.count
                taken.append([span])
            }
        }
        return result
    }

    private mutating func place(gutterLanes: [Int], marginLanes: Int, _ routes: [Route]) {
        let top =
            ModelDiagram.border + Double(marginLanes) * ModelDiagram.laneWidth + ModelDiagram.gap
        var starts: [Double] = []
        var x = 0.0
        for (column, lanes) in gutterLanes.enumerated() {
            starts.append(x)
            x += 2 * ModelDiagram.gap + Double(lanes) * ModelDiagram.laneWidth
            var widest = 0.0
            for index in boxes.indices where boxes[index].column == column {
                boxes[index].frame.x = x
                boxes[index].frame.y += top
                widest = max(widest, boxes[index].frame.width)
            }
            // Boxes of a column are equally wide, so that rows end at the gutter.
            for index in boxes.indices where boxes[index].column == column {
                boxes[index].frame.width = widest
            }
            x += widest
        }
        size = Point(x: x, y: (boxes.map(\.frame.bottom).max() ?? 0) + ModelDiagram.border)
        for (index, route) in routes.enumerated() {
            lines[index].points = corners(route, starts)
        }
    }

    private func corners(_ route: Route, _ starts: [Double]) -> [Point] {
        func lane(_ gutter: Int, _ lane: Int) -> Double {
            starts[gutter] + ModelDiagram.gap + (Double(lane) + 0.5) * ModelDiagram.laneWidth
        }
        func side(_ anchor: Anchor, _ gutter: Int) -> Point {
            let box = boxes[anchor.box]
            let x = gutter > box.column ? box.frame.right : box.frame.x
            return Point(x: x, y: box.frame.y + anchor.y)
        }
        let from = side(route.from, route.gutters.start)
        let to = side(route.to, route.gutters.end)
        let start = lane(route.gutters.start, route.lanes.start)
        let end = lane(route.gutters.end, route.lanes.end)
        guard route.usesMargin else {
            return [from, Point(x: start, y: from.y), Point(x: start, y: to.y), to]
        }
        let y = ModelDiagram.border + (Double(route.lanes.margin) + 0.5) * ModelDiagram.laneWidth
        return [
            from, Point(x: start, y: from.y), Point(x: start, y: y), Point(x: end, y: y),
            Point(x: end, y: to.y), to,
        ]
    }
}
