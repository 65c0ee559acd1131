"""What an educator's turn teaches of a discharge plan."""
