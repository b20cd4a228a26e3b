"""Remove what surrounds a page's content: navigation, sidebars, buttons, notices, by their tags and class names."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

_TAGS = re.compile(r"nav|footer|aside|menu|form|button|dialog|progress|d-contents|d-appendix|d-front-matter")
_ROLES = re.compile(r"navigation|banner|contentinfo|complementary|search|menu|menubar|toolbar|dialog|alert")
_NAMES = re.compile(
    r"(?:(?:site|page|post|top|bottom|main|left|right|local|global|side|mobile|article)[_-]?)?"
    r"(?:nav|navbar|navigation|breadcrumbs?|sidebar|sidenav|drawer|menu|footer|toc|toctree-wrapper|table-of-contents|"
    r"share|sharing|social|socials|like-container|comments?|disqus|giscus(?:_thread)?|utterances|related|related-posts|"
    r"related-pages|pagination|pager|prev-next|copyright|cookies?|banner|adverts?|ads|adsbygoogle|sponsor|newsletter|"
    r"subscribe|popup|modal|search|searchbox|back-to-top|to-top|bottom-of-page|edit-link|last-updated|meta|tags|"
    r"tag-cloud|tagcloud|author-box|byline|toolbar|headerlink|header-anchor|anchor-link|anchorjs-link|skip-link|"
    r"visually-hidden|sr-only|screen-reader-text|copybtn|copy-button|code-label|solution-button|up)"
)
_EDIT_LINE = re.compile(
    r"(?i)(?:last (?:updated|modified|edited)|(?:edit|view) (?:this page|on github)|suggest edits?)\b.{0,80}"
)
_CONTENT = ("p", "pre", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "dd", "dt", "blockquote", "figcaption")


def prune(document: HtmlElement) -> None:
    """Take out what is not content, the tails of what is taken out staying in place."""
    for element in list(document.iter()):
        if element.getparent() is None or element.tag in {"html", "body"}:
            continue
        if not isinstance(element.tag, str) or _is_boilerplate(element):
            element.drop_tree() if isinstance(element.tag, str) else _drop_comment(element)


def _drop_comment(element: HtmlElement) -> None:
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _is_boilerplate(element: HtmlElement) -> bool:
    role = element.get("role") or ""
    if _TAGS.fullmatch(element.tag) or _ROLES.fullmatch(role) or element.get("hidden") is not None:
        return True
    match element.tag:
        case "header":
            return not _has_heading(element)
        case "main" | "article" | "pre" | "code" | "table" | "math":
            return False
        case "p":
            return _leads_elsewhere(element) or _is_named(element)
        case _:
            return _is_named(element) and not _holds_most(element)


def _is_named(element: HtmlElement) -> bool:
    """Tell boilerplate by its classes, or by its id as a whole; a section's id is its heading and says nothing."""
    names = [*(element.get("class") or "").lower().split()]
    if not _has_heading(element):
        names.append((element.get("id") or "").lower())
    return any(_NAMES.fullmatch(name) for name in names)


def _leads_elsewhere(paragraph: HtmlElement) -> bool:
    """Tell whether a line only links to other pages or only says when the page was edited."""
    text = " ".join((paragraph.text_content() or "").split())
    if len(text) > 160:
        return False
    linked = sum(len((link.text_content() or "").strip()) for link in paragraph.iter("a"))
    return bool(_EDIT_LINE.fullmatch(text)) or ("|" in text and linked > 0.6 * len(text))


def _has_heading(element: HtmlElement) -> bool:
    return next(element.iter("h1", "h2", "h3"), None) is not None


def _holds_most(element: HtmlElement) -> bool:
    """Tell whether the element wraps content under a misleading name, such as `drawer` or `with-sidebar`."""
    body = element.getroottree().getroot()
    return 2 * len(element.text_content() or "") > len(body.text_content() or "")


def content_roots(document: HtmlElement) -> list[HtmlElement]:
    """Return the smallest element with nearly all content, the title put in front where it stands outside."""
    body = document.find("body")
    root = body if body is not None else document
    weights = _weights(root)
    total = weights.get(root, 0)
    while True:
        heavy = [child for child in root if isinstance(child.tag, str) and weights.get(child, 0) >= 0.85 * total]
        if not heavy or heavy[0].tag in _CONTENT or heavy[0].tag in {"ul", "ol", "table", "tbody", "tr", "dl"}:
            break
        root = heavy[0]
    return [*_title_before(root), root]


def _weights(root: HtmlElement) -> dict[HtmlElement, int]:
    """Return the characters of content in each element's subtree, those of links counted a quarter."""
    weights: dict[HtmlElement, int] = {}
    for element in root.iter(*_CONTENT):
        own = len("".join(element.xpath("./text()|./*[not(self::a)]/text()")).strip())
        linked = len("".join(element.xpath("./a//text()")))
        for holder in (element, *element.iterancestors()):
            weights[holder] = weights.get(holder, 0) + own + linked // 4
    return weights


def _title_before(root: HtmlElement) -> list[HtmlElement]:
    if next(root.iter("h1"), None) is not None:
        return []
    for holder in (root, *root.iterancestors()):
        for sibling in holder.itersiblings(preceding=True):
            if isinstance(sibling.tag, str) and (sibling.tag == "h1" or next(sibling.iter("h1"), None) is not None):
                return [sibling]
    return []
