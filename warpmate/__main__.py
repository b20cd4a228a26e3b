"""`python -m warpmate`."""

from warpmate.program import main

main()
