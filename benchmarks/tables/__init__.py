"""Tables as data, and how they are written: for a terminal, a paper, a page, another program."""
