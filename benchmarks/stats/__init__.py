"""How sure a figure is: intervals by resampling cases, paired tests, corrections for many, and what varies."""
