"""What is known beyond the record: packs of concepts, their index, retrieval of evidence."""
