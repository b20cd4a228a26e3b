"""Link lists in: Markdown, reStructuredText, bare text and bookmark files."""

from indexer.lists.importer import import_lists, import_text
from indexer.lists.model import Imported, Label, ListedPaper, ListedResource, Skipped, Snippet, StudyLine

__all__ = [
    "Imported",
    "Label",
    "ListedPaper",
    "ListedResource",
    "Skipped",
    "Snippet",
    "StudyLine",
    "import_lists",
    "import_text",
]
