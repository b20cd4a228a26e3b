"""One file a page; each has `register(site)`, named once in `web.app`."""
