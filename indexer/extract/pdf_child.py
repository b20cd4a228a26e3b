"""The child that reads one PDF from standard input and writes its text as JSON, with little memory and time."""

from __future__ import annotations

import io
import json
import logging
import resource
import sys


def limit(memory_bytes: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(source: bytes, most_pages: int) -> dict[str, object]:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(source))
    pages = [page.extract_text() or "" for page in reader.pages[:most_pages]]
    title = (reader.metadata.title if reader.metadata else "") or ""
    return {"title": str(title), "pages": pages, "count": len(reader.pages)}


def main() -> None:
    memory_bytes, seconds, most_pages = map(int, sys.argv[1:4])
    logging.disable(logging.CRITICAL)
    limit(memory_bytes, seconds)
    answer = json.dumps(read(sys.stdin.buffer.read(), most_pages))
    sys.stdout.write(answer)


if __name__ == "__main__":
    main()
