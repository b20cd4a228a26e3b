"""What a member reads of a paste: what was done with it, or what to keep and what to add."""

from __future__ import annotations

from worker.diagnosis.catalogue import FindingCatalogue
from worker.messages import message
from worker.pastes import Adapted, Told
from worker.protocol import Finding


def adapted_paste(catalogue: FindingCatalogue, paste: Adapted) -> Finding:
    evidence = {
        "form": paste.form,
        **({"dropped": list(paste.dropped)} if paste.dropped else {}),
        **({"launches": [message("paste.line", text=line) for line in paste.launches]} if paste.launches else {}),
        **({"names": list(paste.names)} if paste.names else {}),
    }
    return catalogue.finding("paste-adapted", None, **evidence)


def told_paste(catalogue: FindingCatalogue, paste: Told) -> Finding:
    evidence = {
        "form": paste.form,
        "launch": paste.launch,
        "reason": paste.reason,
        **({"kept": list(paste.kept)} if paste.kept else {}),
        **({"dropped": list(paste.dropped)} if paste.dropped else {}),
    }
    return catalogue.finding("paste-" + ("python" if paste.form == "python" else "told"), paste.line, **evidence)
