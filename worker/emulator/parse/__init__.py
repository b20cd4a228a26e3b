"""PTX text to frozen data: closed enumerations and integers, so that no text of a stranger travels further."""
