import CMarkdown
import Glibc

/// A parsed part of a text.
public final class MarkdownSection {
    /// The blocks from top to bottom; footnotes come last.
    public private(set) var blocks: [MarkdownBlock] = []
    /// Safety: the tree belongs to this object and is freed with it; nodes in blocks are read only by
    /// methods of it.
    private let root: OpaquePointer?
    private let hasLinks: Bool
    /// The line behind the section; an open block goes on into what the parser got besides.
    private let end: Int
    /// The number of the next item of ordered lists.
    private var numbers: [OpaquePointer: Int] = [:]

    private static let options =
        CMARK_OPT_FOOTNOTES | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE | CMARK_OPT_UNSAFE
    private static let areExtensionsReady: Bool = {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }()
    /// What is deeper is shown as what it is inside of.
    private static let deepest = 24

    init(
        _ text: [UInt8],
        _ extent: MarkdownSource.Extent,
        _ links: [TitleLink],
        definitions: [UInt8],
        footnotes: [ArraySlice<UInt8>]
    ) {
        let source = ParserInput(text, extent, links)
        hasLinks = !links.isEmpty
        let parser = MarkdownSection.areExtensionsReady ? cmark_parser_new(Self.options) : nil
        for name in ["table", "strikethrough", "autolink"] {
            cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        // The parser drops a footnote without a reference: behind the text each gets one.
        let references = footnotes.isEmpty ? [] : Array("\n\n".utf8) + footnotes.joined()
        let rest = definitions.isEmpty ? [] : Array("\n\n".utf8) + definitions
        for bytes in [source.bytes, references, rest] {
            bytes.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    cmark_parser_feed(parser, $0.baseAddress, $0.count)
                }
            }
        }
        root = cmark_parser_finish(parser)
        let lines = MarkdownLines(text, extent)
        end = lines.first + lines.count - lines.fenceLines
        cmark_parser_free(parser)
        collect(lines)
        numbers = [:]
    }

    deinit { if let root { cmark_node_free(root) } }

    // MARK: Blocks

    /// Goes through the blocks, without recursion: a text may nest them as deep as it is long.
    private func collect(_ lines: MarkdownLines) {
        let references = references(before: lines.count)
        var containers: [MarkdownBlock.Container] = []
        /// The containers in which nothing has come yet are those from here on.
        var first = 0
        /// Where the containers of footnotes end that come from another section.
        var isForeign = false
        var depths: [Int] = []
        var next = root.flatMap { cmark_node_first_child($0) }
        while let node = next {
            let kind = cmarkdown_kind_of(node)
            let line = Int(cmark_node_get_start_line(node)) - 1
            if kind == cmarkdown_footnote {
                isForeign =
                    !references.contains(MarkdownSection.number(ofFootnote: node))
                    && line >= lines.count
            }
            if depths.isEmpty, kind != cmarkdown_footnote { isForeign = line >= lines.count }
            var inside: OpaquePointer?
            var container: MarkdownBlock.Container?
            switch kind {
            case cmarkdown_quote: container = .quote
            case cmarkdown_item: container = .item(marker(of: node, lines))
            case cmarkdown_footnote:
                let number = MarkdownSection.number(ofFootnote: node)
                let isReferenced = references.contains(number)
                container = .item(.footnote(number, isReferenced: isReferenced))
            default: break
            }
            if container != nil || kind == cmarkdown_list {
                inside = cmark_node_first_child(node)
            }
            if let container, containers.count < Self.deepest {
                containers.append(container)
            }
            if let inside {
                depths.append(containers.count)
                next = inside
                continue
            }
            if !isForeign, kind != cmarkdown_list {
                add(node, kind, line, containers, first: first, lines)
            }
            first = containers.count
            if container != nil { leave(node, &containers, &first) }
            next = cmark_node_next(node)
            var above = node
            while next == nil, !depths.isEmpty, let parent = cmark_node_parent(above) {
                depths.removeLast()
                let kind = cmarkdown_kind_of(parent)
                if kind != cmarkdown_list { leave(parent, &containers, &first) }
                above = parent
                next = cmark_node_next(parent)
            }
        }
    }

    /// The numbers of the footnotes to which something before a line leads, also through others.
    private func references(before end: Int) -> Set<String> {
        var found: Set<String> = []
        guard let root, let last = cmark_node_last_child(root),
            cmarkdown_kind_of(last) == cmarkdown_footnote
        else { return found }
        var isForeign = false
        let walk = cmark_iter_new(root)
        defer { cmark_iter_free(walk) }
        while true {
            let event = cmark_iter_next(walk)
            guard event != CMARK_EVENT_DONE, let node = cmark_iter_get_node(walk) else { break }
            let kind = cmarkdown_kind_of(node)
            if event == CMARK_EVENT_ENTER, cmark_node_parent(node) == root {
                isForeign = Int(cmark_node_get_start_line(node)) > end
                if kind == cmarkdown_footnote, isForeign {
                    isForeign = !found.contains(MarkdownSection.number(ofFootnote: node))
                }
            }
            if !isForeign, kind == cmarkdown_footnote_reference {
                found.insert(decoded(cmark_node_get_literal(node)))
            }
        }
        return found
    }

    private static func number(ofFootnote node: OpaquePointer) -> String {
        var number = 1
        var before = cmark_node_previous(node)
        while let node = before, cmarkdown_kind_of(node) == cmarkdown_footnote {
            number += 1
            before = cmark_node_previous(node)
        }
        return "\(number)"
    }

    private func leave(
        _ node: OpaquePointer,
        _ containers: inout [MarkdownBlock.Container],
        _ first: inout Int
    ) {
        var depth = 0
        var above = cmark_node_parent(node)
        while let node = above, depth <= Self.deepest {
            let kind = cmarkdown_kind_of(node)
            let isContainer =
                kind == cmarkdown_quote || kind == cmarkdown_item || kind == cmarkdown_footnote
            if isContainer { depth += 1 }
            above = cmark_node_parent(node)
        }
        // Those that were too deep were not added.
        while containers.count > depth { containers.removeLast() }
        first = min(first, containers.count)
    }

    private func add(
        _ node: OpaquePointer,
        _ kind: cmarkdown_kind,
        _ line: Int,
        _ containers: [MarkdownBlock.Container],
        first: Int,
        _ lines: MarkdownLines
    ) {
        let shown: MarkdownBlock.Kind
        switch kind {
        case cmarkdown_heading: shown = .heading(Int(cmark_node_get_heading_level(node)))
        case cmarkdown_code_block:
            // Where a section begins inside of code, the language was named before.
            let info = line < lines.fenceLines ? "" : decoded(cmark_node_get_fence_info(node))
            let language = info.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
            shown = .code(language: language.map(String.init) ?? "")
        case cmarkdown_html_block: shown = .html
        case cmarkdown_rule: shown = .rule
        case cmarkdown_table: shown = .table
        default: shown = .text
        }
        var (length, offset, sign) = (Int32(0), Int32(0), CChar(0))
        let isFenced =
            kind == cmarkdown_code_block
            && cmark_node_get_fenced(node, &length, &offset, &sign) != 0
        blocks.append(
            MarkdownBlock(
                kind: shown,
                containers: containers,
                firstInside: min(first, containers.count),
                line: lines.first + line - lines.fenceLines,
                isApart: !(blocks.isEmpty && lines.first == 0) && lines.isBlank(line - 1),
                isFenced: isFenced,
                node: kind == cmarkdown_item || kind == cmarkdown_quote ? nil : node
            )
        )
    }

    private func marker(of item: OpaquePointer, _ lines: MarkdownLines) -> MarkdownBlock.Marker {
        if let first = cmark_node_first_child(item),
            cmarkdown_kind_of(first) == cmarkdown_paragraph,
            let task = lines.task(
                line: Int(cmark_node_get_start_line(first)) - 1,
                column: Int(cmark_node_get_start_column(first)) - 1
            )
        {
            return .task(task)
        }
        guard let list = cmark_node_parent(item),
            cmark_node_get_list_type(list) == CMARK_ORDERED_LIST
        else { return .bullet }
        let sign = cmark_node_get_list_delim(list) == CMARK_PAREN_DELIM ? ")" : "."
        let number = numbers[list] ?? Int(cmark_node_get_list_start(list))
        numbers[list] = number + 1
        return .number("\(number)\(sign)")
    }

    // MARK: Text

    /// The pieces of a block of text.
    public func spans(of block: MarkdownBlock) -> [MarkdownSpan] {
        guard let node = block.node else { return [] }
        var spans = spans(of: node)
        if block.task != nil, let first = spans.first, first.text.count >= 3 {
            spans[0].text = String(first.text.dropFirst(3).drop { $0 == " " })
            if spans[0].text.isEmpty { spans.removeFirst() }
        }
        return spans
    }

    /// The words of a block with one blank between them, without HTML and marks of footnotes.
    public func plainText(of block: MarkdownBlock) -> String {
        spans(of: block).filter { $0.kind != .html && $0.kind != .footnote }.map(\.text).joined()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The lines of the text, from 0, that code or HTML covers; a fence at its end is not among them.
    public func lines(of block: MarkdownBlock) -> Range<Int> {
        let count = literal(of: block).utf8.count { $0 == 0x0A } + 1
        return block.line..<block.line + count + (block.isFenced ? 1 : 0)
    }

    /// The lines of code or HTML, without the last line end.
    public func literal(of block: MarkdownBlock) -> String {
        guard let node = block.node else { return "" }
        let text = decoded(cmark_node_get_literal(node))
        let own = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix(max(0, end - block.line - (block.isFenced ? 1 : 0))).joined(separator: "\n")
        return own.utf8.last == 0x0A ? String(own.dropLast()) : own
    }

    public func table(of block: MarkdownBlock) -> MarkdownTable {
        guard let node = block.node else { return MarkdownTable(alignments: [], rows: []) }
        let columns = Int(cmark_gfm_extensions_get_table_columns(node))
        let signs = cmark_gfm_extensions_get_table_alignments(node)
        let alignments = (0..<columns).map { column -> MarkdownTable.Alignment in
            switch signs?[column] {
            case UInt8(ascii: "c"): .center
            case UInt8(ascii: "r"): .trailing
            default: .leading
            }
        }
        let top = Int(cmark_node_get_start_line(node))
        var rows: [MarkdownTable.Row] = []
        var row = cmark_node_first_child(node)
        while let present = row {
            var cells: [[MarkdownSpan]] = []
            var cell = cmark_node_first_child(present)
            while let node = cell, cells.count < columns {
                cells.append(spans(of: node))
                cell = cmark_node_next(node)
            }
            while cells.count < columns { cells.append([]) }
            let line = block.line + max(0, Int(cmark_node_get_start_line(present)) - top)
            rows.append(MarkdownTable.Row(line: line, cells: cells))
            row = cmark_node_next(present)
        }
        return MarkdownTable(alignments: alignments, rows: rows)
    }

    private func spans(of node: OpaquePointer) -> [MarkdownSpan] {
        var builder = SpanBuilder(hasLinks: hasLinks)
        let walk = cmark_iter_new(node)
        defer { cmark_iter_free(walk) }
        while true {
            let event = cmark_iter_next(walk)
            if event == CMARK_EVENT_DONE { break }
            guard let inner = cmark_iter_get_node(walk), inner != node else { continue }
            builder.take(inner, isEnd: event == CMARK_EVENT_EXIT)
        }
        return builder.finished()
    }

    private func decoded(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        let bytes = Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        return ParserInput.plain(bytes)
    }
}
