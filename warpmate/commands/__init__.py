"""The commands, one file for each; each has `register(app)`, named once in `warpmate.cli.COMMANDS`."""
