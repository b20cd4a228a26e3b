"""Everything that can be read, watched or solved, whoever brought it: what it is, and who decides about it.

`Item` is the one shape of it. `items_of` merges what curators wrote under content/ with what the database knows.
`Catalogue` takes suggestions and decisions. A page that a member suggests waits until a moderator approves it; what
a guild adds is seen by that guild alone, what the operator adds by everyone. What a moderator sets (title, level,
topics, minutes, removal) is kept under `overrides` and survives every crawl and every change of content/:
`precedence.py` is the one rule of whose word counts.
"""

from knowledge.catalogue.addresses import AddressPolicy, RefusedAddress
from knowledge.catalogue.catalogue import Catalogue, Drafts, Edit, Suggestion, Taken
from knowledge.catalogue.item import Item, curated_fields, items_of
from knowledge.catalogue.markdown import as_markdown

__all__ = [
    "AddressPolicy",
    "Catalogue",
    "Drafts",
    "Edit",
    "Item",
    "RefusedAddress",
    "Suggestion",
    "Taken",
    "as_markdown",
    "curated_fields",
    "items_of",
]
