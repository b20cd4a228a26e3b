"""The pages of the site, one file for each; each has `register(site)`, named once in `web.app`."""
