import CMarkdown
import Glibc

/// Makes spans of the inline nodes of a block, in the order of the text.
struct SpanBuilder {
    private let hasLinks: Bool
    private var spans: [MarkdownSpan] = []
    /// The bytes of text nodes that follow one another: the parser divides them at signs.
    private var pending: [UInt8] = []
    private var bold = 0
    private var italic = 0
    private var struck = 0
    private var addresses: [String] = []

    init(hasLinks: Bool) { self.hasLinks = hasLinks }

    mutating func take(_ node: OpaquePointer, isEnd: Bool) {
        let kind = cmarkdown_kind_of(node)
        let step = isEnd ? -1 : 1
        switch kind {
        case cmarkdown_text: pending += SpanBuilder.bytes(cmark_node_get_literal(node))
        case cmarkdown_soft_break, cmarkdown_hard_break: pending.append(0x0A)
        case cmarkdown_code: add(node, addresses.isEmpty ? .code : nil)
        case cmarkdown_html: add(node, .html)
        // The library does not know that it has nothing inside, so it comes twice.
        case cmarkdown_footnote_reference: if !isEnd { add(node, .footnote) }
        case cmarkdown_emphasis:
            flush()
            italic += step
        case cmarkdown_strong:
            flush()
            bold += step
        case cmarkdown_struck:
            flush()
            struck += step
        case cmarkdown_link, cmarkdown_image:
            flush()
            if isEnd {
                end(addresses.removeLast())
            } else {
                addresses.append(ParserInput.plain(SpanBuilder.bytes(cmark_node_get_url(node))))
                start.append(spans.count)
            }
        default: break
        }
    }

    /// Where the spans of open links begin.
    private var start: [Int] = []

    mutating func finished() -> [MarkdownSpan] {
        flush()
        return spans
    }

    /// Says whether the text of a link is its address.
    private mutating func end(_ address: String) {
        let first = start.removeLast()
        // A picture or a link without words is shown by its address.
        if spans.count == first {
            if !address.isEmpty { spans.append(span(address, .address(address, isShown: true))) }
            return
        }
        let text = spans[first...].map(\.text).joined()
        let isShown = text == address || "mailto:\(text)" == address || "http://\(text)" == address
        guard isShown else { return }
        for place in first..<spans.count {
            if case .address(let own, _) = spans[place].kind {
                spans[place].kind = .address(own, isShown: true)
            }
        }
    }

    private mutating func add(_ node: OpaquePointer, _ kind: MarkdownSpan.Kind?) {
        flush()
        let text = ParserInput.plain(SpanBuilder.bytes(cmark_node_get_literal(node)))
        spans.append(span(text, kind))
    }

    private func span(_ text: String, _ kind: MarkdownSpan.Kind? = nil) -> MarkdownSpan {
        let usual = addresses.last.map { MarkdownSpan.Kind.address($0, isShown: false) } ?? .text
        return MarkdownSpan(
            text: text,
            kind: kind ?? usual,
            isBold: bold > 0,
            isItalic: italic > 0,
            isStruck: struck > 0
        )
    }

    private mutating func flush() {
        if pending.isEmpty { return }
        let bytes = pending
        pending = []
        guard hasLinks, bytes.contains(0xEF) else {
            spans.append(span(String(decoding: bytes, as: UTF8.self)))
            return
        }
        var plain = 0
        var place = 0
        while place < bytes.count {
            guard let range = link(bytes, at: place) else {
                place += 1
                continue
            }
            if plain < place { spans.append(span(ParserInput.plain(Array(bytes[plain..<place])))) }
            let whole = ParserInput.plain(Array(bytes[range]))
            let title = TitleLink.all(in: whole).first?.title ?? whole
            spans.append(span(title, .title(title)))
            place = range.upperBound
            plain = place
        }
        if plain < bytes.count { spans.append(span(ParserInput.plain(Array(bytes[plain...])))) }
    }

    /// The link that begins at a place.
    private func link(_ bytes: [UInt8], at place: Int) -> Range<Int>? {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        guard ParserInput.sign(bytes, at: place) == open,
            ParserInput.sign(bytes, at: place + 3) == open
        else { return nil }
        var end = place + 6
        while end < bytes.count {
            if ParserInput.sign(bytes, at: end) == close,
                ParserInput.sign(bytes, at: end + 3) == close
            {
                return place..<end + 6
            }
            end += 1
        }
        return nil
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text else { return [] }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
