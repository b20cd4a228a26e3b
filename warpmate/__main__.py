"""`python -m warpmate`."""

from warpmate.cli import main

main()
