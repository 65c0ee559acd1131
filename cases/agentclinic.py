"""AgentClinic: OSCE cases made from medical licensing questions, for diagnostic interviews.

One JSON object a line. The patient's part becomes the record; findings of examination and tests are the
doctor's side and are left out, for no patient can be asked for them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from bedside.cases.case import Case
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.osce import demographics_of, diagnosis_of, get, read_objects, record_of

__all__ = ["read_agentclinic"]


def read_agentclinic(path: Path) -> Iterator[Case]:
    """Stream the cases of an AgentClinic OSCE file.

    A file whose name says that it comes from MIMIC is marked as credentialed.

    Args:
        path: ``agentclinic_medqa.jsonl`` or another file of its form.

    Yields:
        Cases named after file and line: ``agentclinic-medqa-12``.

    Raises:
        CaseError: The file or a line cannot be used.
    """
    stem = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    prefix = stem if stem.startswith("agentclinic") else f"agentclinic-{stem}"
    mimic = "mimic" in stem
    for line, osce in read_objects(path):
        complaint, record = record_of(osce, path, line)
        try:
            yield Case(
                id=f"{prefix}-{line}",
                source="agentclinic",
                licence="PhysioNet Credentialed Health Data License 1.5.0" if mimic else "MIT",
                credentialed=mimic,
                demographics=demographics_of(osce, path, line),
                chief_complaint=complaint,
                record=record,
                diagnosis=diagnosis_of(get(osce, "correctdiagnosis"), path, line),
            )
        except ValidationError as error:
            field, message = first_problem(error)
            raise CaseError(message, path=path, line=line, field=field) from error
