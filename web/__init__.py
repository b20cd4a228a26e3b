"""The browser's side of the same three services."""
