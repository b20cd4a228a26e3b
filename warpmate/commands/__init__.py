"""One file a command: each has `register(app)`, named once in `warpmate.cli.COMMANDS`."""
