"""The commands, one file for each; each has `register(app)`, and a line in `warpmate.cli.COMMANDS`."""
