"""Which tables a suite has."""

from collections.abc import Mapping

from bedside.benchmarks.suites.audit import audit_table
from bedside.benchmarks.suites.dischargebench import dischargebench_tables, main_table
from bedside.benchmarks.suites.dischargesim import dischargesim_tables
from bedside.benchmarks.suites.evidence import Evidence
from bedside.benchmarks.suites.verisim import failure_table, noise_table, verisim_tables
from bedside.benchmarks.tables.table import Table

__all__ = ["tables_of"]


def tables_of(suite: str, found: Mapping[str, Evidence], caption: str) -> list[Table]:
    """Make the tables of a suite.

    Args:
        suite: Its name.
        found: What its conditions came to, by name; those that do not apply to the policies are left out.
        caption: How the figures came about.
    """
    if suite == "dischargesim":
        return dischargesim_tables(found["profiles"], caption)
    if suite == "verisim":
        return verisim_tables(found, caption)
    if suite == "dischargebench":
        return dischargebench_tables(found["talks"], caption)
    tables = []
    if "talks" in found:
        tables += [main_table(found["talks"], caption), audit_table(found["talks"], caption)]
    if "noisy" in found:
        pair = found["clean"], found["noisy"]
        tables += [noise_table(*pair, caption), failure_table(*pair, caption)]
    return tables
