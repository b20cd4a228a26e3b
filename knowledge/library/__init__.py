"""The searchable library as readers see it: passages, embedders, published generations."""
