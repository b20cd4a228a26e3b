"""Workers on other hosts, who are not trusted: who they are, what they may say, and whether it is believed.

`registry.Workers` knows their public keys; `gateway.Gateway` gives them jobs and takes their results, each request
signed; `verdict_check` holds a result against its job before it touches anything.
"""
