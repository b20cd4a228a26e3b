"""Fills the core: lists in, pages fetched, passages embedded, index generations published."""
