"""Contribute: what members add to their library, what moderators decide, and the list of it all.

A resource that a member adds waits until a moderator approves it; a guild's own resources are seen by that guild
alone, the operator's are everyone's. What a moderator sets (title, level, topics, minutes, removal) is kept under
`overrides` and survives every crawl and every change of content/.
"""

from knowledge.contribute.export import as_markdown
from knowledge.contribute.library import Edit, SharedLibrary
from knowledge.contribute.listed import Listed

__all__ = ["Edit", "Listed", "SharedLibrary", "as_markdown"]
