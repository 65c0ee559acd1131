"""Making cases: the rules that a case must obey, whoever wrote it."""
