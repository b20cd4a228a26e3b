"""What the broker's entries say, and what becomes of those that cannot be read."""

from __future__ import annotations

import logging
from typing import Any

from worker.protocol import PROTOCOL, Backend, Form, Job, Kind, Verdict, from_json
from worker.queue import MAX_ATTEMPTS

log = logging.getLogger(__name__)


def entries(reply: Any) -> list[tuple[str, dict[str, str]]]:
    """The entries of one stream out of XREAD's reply, which is a list or, in RESP3, a mapping."""
    if not reply:
        return []
    if isinstance(reply, dict):
        (chunks,) = reply.values()
        return [entry for chunk in chunks for entry in chunk]
    return list(reply[0][1])


def job_of(submission: str, text: str) -> Job:
    """One that cannot be read is one of no protocol that we speak."""
    try:
        return from_json(Job, text)
    except ValueError:
        log.exception("the job of %s cannot be read", submission)
        return Job(submission, Form.SNIPPET, "", protocol=0)


def hopeless(job: Job) -> str | None:
    if job.protocol != PROTOCOL:
        return f"speaks protocol {job.protocol}, this worker {PROTOCOL}"
    if job.fence > MAX_ATTEMPTS:
        return f"took {MAX_ATTEMPTS} workers with it; it is not tried again"
    return None


def verdict_of(fields: dict[str, str]) -> Verdict:
    """What cannot be read, or speaks of another submission, is a worker's fault and counts as such."""
    submission = fields["submission"]
    try:
        verdict = from_json(Verdict, fields["verdict"])
    except ValueError:
        log.exception("a worker published an unreadable verdict on %s", submission)
    else:
        if verdict.submission == submission:
            return verdict
        log.error("a worker published a verdict on %r in place of %s", verdict.submission, submission)
    return Verdict(submission, Form.SNIPPET, None, Backend.AUTO, Kind.INFRASTRUCTURE_ERROR)
