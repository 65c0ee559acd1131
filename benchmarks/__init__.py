"""How good, how sure, how fast: evaluation of clinicians, intervals, comparison of runs, throughput."""
