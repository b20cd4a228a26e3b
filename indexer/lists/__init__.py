"""Link lists in: Markdown, reStructuredText, bare text and bookmark files."""

from indexer.lists.import_result import Imported, Label, ListedPaper, ListedResource, Skipped, Snippet, StudyLine
from indexer.lists.importer import import_lists, import_text

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
