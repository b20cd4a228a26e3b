"""`python -m bot`: the same command line as `warpmate`."""

from warpmate.cli import main

main()
