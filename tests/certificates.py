"""A throw-away certificate authority and what it signs: made by openssl for one test, good for a day."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Certificate:
    ca: Path
    cert: Path
    key: Path


def throw_away(folder: Path) -> Certificate:
    """A certificate for localhost, its key (mode 600), and the authority that signed it."""
    made = Certificate(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1")
    _openssl(
        "req", "-x509", *curve, "-subj", "/CN=throw-away", "-keyout", str(folder / "ca.key"), "-out", str(made.ca)
    )
    signed = (
        "-CA",
        str(made.ca),
        "-CAkey",
        str(folder / "ca.key"),
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
    )
    leaf = ("-addext", "basicConstraints=critical,CA:FALSE")
    _openssl(
        "req",
        "-x509",
        *curve,
        *signed,
        *leaf,
        "-subj",
        "/CN=localhost",
        "-keyout",
        str(made.key),
        "-out",
        str(made.cert),
    )
    made.key.chmod(0o600)
    return made


def _openssl(*arguments: str) -> None:
    subprocess.run(("openssl", *arguments), check=True, capture_output=True)
