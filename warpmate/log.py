"""Structured events on standard error: a constant name, the rest as fields, an id that a user can quote."""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
from ulid import ULID


def set_up_logging(level: str, form: str) -> None:
    """Set logging up, once, from the entry point; lines of libraries that use `logging` get the same shape."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    last: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                # No local variables in tracebacks: they hold members' code and the operator's secrets.
                colors=sys.stderr.isatty(),
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    handler.addFilter(_worth_telling)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)  # libraries speak when something is wrong
    for ours in ("warpmate", "bot", "web", "assistant", "knowledge", "indexer", "worker"):
        logging.getLogger(ours).setLevel(level.upper())


def _worth_telling(record: logging.LogRecord) -> bool:
    """Tell whether to keep a line: onnxruntime's quantizer gives advice as warnings of the root logger."""
    return record.levelno > logging.WARNING or "onnxruntime" not in record.pathname


def record_fault(folder: Path, request_id: str) -> Path | None:
    """Append the current exception to a file that only the operator reads; None if nothing can be written."""
    file = folder / "errors.log"
    try:
        with file.open("a", encoding="utf-8") as log:
            log.write(f"--- {datetime.now(UTC).isoformat()} {request_id}\n{traceback.format_exc()}")
    except OSError:
        return None
    return file


def new_request_id() -> str:
    """Return an id that is short enough to read out and unique enough to find in the log."""
    return str(ULID())[-10:]
