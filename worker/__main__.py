"""`python -m worker`: a worker for the broker. Settings come from the environment alone; see docs/operations.md."""

from __future__ import annotations

import argparse
import dataclasses
import logging
import os
import sys

from worker.config import WorkerConfig
from worker.errors import WorkerError
from worker.standalone_worker import check_health, serve


def main() -> int:
    """Exit codes: 0 stopped by a signal with its jobs handed back, 1 it could not run (one line says why)."""
    parser = argparse.ArgumentParser(prog="python -m worker", description=__doc__)
    parser.add_argument("--health", action="store_true", help="only say whether the worker of this host lives")
    parser.add_argument(
        "--card", help="what jobs call the card of this host, for instance h200; else as it is detected"
    )
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        config = WorkerConfig.from_environ(os.environ)
        config = dataclasses.replace(config, card=given.card or config.card)
        if given.health:
            check_health(config)
        else:
            serve(config)
    except WorkerError as error:
        print(f"worker: {error}", file=sys.stderr)  # noqa: T201  standard error is this program's voice
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
