"""From the flows' frozen data to messages: pure functions, no network, no database."""
