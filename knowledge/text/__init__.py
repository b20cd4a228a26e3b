"""What a piece of Chinese or English text consists of: its language, its sentences, its search tokens."""
