"""What is true: cases, their facts, the people who live them; one loader a source."""
