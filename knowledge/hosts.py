"""What an address tells about a resource before it was read: its language and its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from knowledge.addresses import host

CHINESE_HOSTS = (
    "zhihu.com", "csdn.net", "jiqizhixin.com", "juejin.cn", "oschina.net", "cnblogs.com", "aijishu.com",
    "mp.weixin.qq.com", "bilibili.com", "huaweicloud.com", "jianshu.com", "segmentfault.com", "moqi.com.cn",
    "rcore-os.cn", "paddlepedia.readthedocs.io", "streamcomputing.com", "gitee.com", "infoq.cn",
)  # fmt: skip
ENGLISH_HOSTS = (
    "github.com", "github.io", "nvidia.com", "google.com", "graphcore.ai", "amazon.com", "medium.com", "youtube.com",
    "en.wikipedia.org", "arxiv.org", "reddit.com", "news.ycombinator.com", "x.com", "twitter.com", "discord.gg",
    "substack.com", "towardsdatascience.com", "illinois.edu", "wisc.edu", "berkeley.edu", "readthedocs.io",
    "boom-core.org", "techpowerup.com", "fz-juelich.de", "cmc.ca", "christianjmills.com",
)  # fmt: skip

KINDS: Mapping[str, str] = MappingProxyType(
    {
        r"^discord\.(gg|com)|^t\.me/|/groups?/": "community",
        r"^github\.com/[^/]+/?$|^gitee\.com/[^/]+/?$": "community",
        r"^(github|gitlab|gitee)\.com/[^/]+/[^/]+|^code\.google\.com/p/": "code",
        r"^(www\.)?(youtube\.com|youtu\.be)|bilibili\.com/video|^vimeo\.com": "video",
        r"amazon\.[a-z.]+/|/book(s)?/|scaling-book|(^|[/.-])book(-v\d)?/": "book",
        r"arxiv\.org|openreview\.net|dl\.acm\.org|ieeexplore": "paper",
        r"reddit\.com/r/|news\.ycombinator|^(x|twitter)\.com/|zhihu\.com/question|stackoverflow\.com": "discussion",
        r"wikipedia\.org|/gpu-specs": "reference",
        r"on-demand-gtc": "video",
        r"\.pdf$|whitepaper": "paper",
        r"^docs\.|/docs?(/|$)|readthedocs|developer-guide|^cloud\.google\.com/tpu$": "docs",
        r"course|/~?cs\d{3}|ece\d{3}|/me\d{3}|/ml/20\d\d|itunes-u|cudau_|lesson|learningcuda|cuda-training": "course",
        r"accel-sim": "tool",
    }
)
"""Pattern of host and path, in order of precedence; what fits none is an article, a bare host a site."""


_CHINESE_EDITION = re.compile(r"[/-]zh(?:[-_](?:cn|hans))?(?:[/.]|$)|-cn(?:[/.]|$)", re.IGNORECASE)


def language(url: str, text: str, named: str = "") -> str:
    """`zh` or `en`: what the list calls the link, then the host, the address and the title."""
    if named in {"中文", "中文版", "zh", "Chinese"}:
        return "zh"
    if named in {"英文", "英文版", "en", "English"}:
        return "en"
    parts = urlsplit(url)
    site, path = host(url), unquote(parts.path)
    if _under(site, CHINESE_HOSTS) or site.endswith(".cn") or has_han(path) or _CHINESE_EDITION.search(path):
        return "zh"
    if site.endswith("github.io") and has_han(text) and not _english_words(path, 2):
        return "zh"
    if _under(site, ENGLISH_HOSTS) or _english_words(path.rstrip("/").rsplit("/", 1)[-1], 3) or not has_han(text):
        return "en"
    return "zh"


def kind(url: str, title: str = "") -> str:
    """The kind as far as the address and the list's name for it show it."""
    parts = urlsplit(url)
    place = host(url) + unquote(parts.path)
    for pattern, found in KINDS.items():
        if re.search(pattern, place, re.IGNORECASE):
            return found
    if re.search(r"博客$|\bblog$", title, re.IGNORECASE) and parts.path in {"", "/"}:
        return "blog"
    return "site" if parts.path in {"", "/"} else "article"


def slug_title(url: str) -> str:
    """A title read from the last part of the address, if that speaks; else empty."""
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part and not part.startswith("index.")]
    words = re.split(r"[-_\s]+", re.sub(r"\.(?:html?|php|pdf|md|aspx?)$", "", parts[-1])) if parts else []
    words = [word for word in words if word and not re.fullmatch(r"[0-9a-f]{8,}", word)]
    title = " ".join(words)
    return title[:1].upper() + title[1:] if sum(word.isalpha() for word in words) >= 2 else ""


def has_han(text: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text))


def _under(site: str, names: tuple[str, ...]) -> bool:
    return any(site == name or site.endswith("." + name) for name in names)


def _english_words(path: str, least: int) -> bool:
    return len(re.findall(r"[A-Za-z]{3,}", path)) >= least
