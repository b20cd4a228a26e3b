"""Getting pages from the web, politely and without being led astray."""
