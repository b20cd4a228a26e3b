"""The command line, and the one place where everything is opened and handed down."""
