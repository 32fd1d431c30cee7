#ifndef CMARKDOWN_H
#define CMARKDOWN_H

// Debian's parser of Markdown (CommonMark with the extensions of GitHub), linked statically.

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <string.h>

/// The kinds of nodes; those of extensions have no constants in the library's headers.
enum cmarkdown_kind {
    cmarkdown_other,
    cmarkdown_quote,
    cmarkdown_list,
    cmarkdown_item,
    cmarkdown_code_block,
    cmarkdown_html_block,
    cmarkdown_paragraph,
    cmarkdown_heading,
    cmarkdown_rule,
    cmarkdown_footnote,
    cmarkdown_table,
    cmarkdown_row,
    cmarkdown_cell,
    cmarkdown_text,
    cmarkdown_soft_break,
    cmarkdown_hard_break,
    cmarkdown_code,
    cmarkdown_html,
    cmarkdown_emphasis,
    cmarkdown_strong,
    cmarkdown_struck,
    cmarkdown_link,
    cmarkdown_image,
    cmarkdown_footnote_reference,
};

static inline enum cmarkdown_kind cmarkdown_kind_of(cmark_node *node) {
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_BLOCK_QUOTE) return cmarkdown_quote;
    if (type == CMARK_NODE_LIST) return cmarkdown_list;
    if (type == CMARK_NODE_ITEM) return cmarkdown_item;
    if (type == CMARK_NODE_CODE_BLOCK) return cmarkdown_code_block;
    if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_CUSTOM_BLOCK)
        return cmarkdown_html_block;
    if (type == CMARK_NODE_PARAGRAPH) return cmarkdown_paragraph;
    if (type == CMARK_NODE_HEADING) return cmarkdown_heading;
    if (type == CMARK_NODE_THEMATIC_BREAK) return cmarkdown_rule;
    if (type == CMARK_NODE_FOOTNOTE_DEFINITION) return cmarkdown_footnote;
    if (type == CMARK_NODE_TEXT) return cmarkdown_text;
    if (type == CMARK_NODE_SOFTBREAK) return cmarkdown_soft_break;
    if (type == CMARK_NODE_LINEBREAK) return cmarkdown_hard_break;
    if (type == CMARK_NODE_CODE) return cmarkdown_code;
    if (type == CMARK_NODE_HTML_INLINE || type == CMARK_NODE_CUSTOM_INLINE) return cmarkdown_html;
    if (type == CMARK_NODE_EMPH) return cmarkdown_emphasis;
    if (type == CMARK_NODE_STRONG) return cmarkdown_strong;
    if (type == CMARK_NODE_LINK) return cmarkdown_link;
    if (type == CMARK_NODE_IMAGE) return cmarkdown_image;
    if (type == CMARK_NODE_FOOTNOTE_REFERENCE) return cmarkdown_footnote_reference;
    const char *name = cmark_node_get_type_string(node);
    if (!strcmp(name, "strikethrough")) return cmarkdown_struck;
    if (!strcmp(name, "table")) return cmarkdown_table;
    if (!strcmp(name, "table_row") || !strcmp(name, "table_header")) return cmarkdown_row;
    if (!strcmp(name, "table_cell")) return cmarkdown_cell;
    return cmarkdown_other;
}

#endif
