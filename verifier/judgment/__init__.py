"""Call 2: whether the record, and what the noise permits, bear a claim out."""
