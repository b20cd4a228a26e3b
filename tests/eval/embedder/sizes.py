"""What the embedder is shown of a question and of a passage."""

QUESTION_TOKENS, PASSAGE_TOKENS = 64, 256
QUERY, PASSAGE = "query: ", "passage: "
