"""Discord and nothing else: commands, views, rendering, localisation."""
