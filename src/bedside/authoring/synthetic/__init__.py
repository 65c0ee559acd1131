"""Notes of nobody: the open cases retold in the forms in which hospitals write, with the right answers beside them."""
