"""Knowledge packs: the vocabularies that the index is built over, in one schema, as plain files on disk.

``core`` ships with the project. ``open`` is built from installed packages and ``umls`` from a licensed user's own
files or key, both by ``scripts/build_knowledge.py``; neither is ever committed.
"""

from bedside.verifier.knowledge.packs.core import core_pack
from bedside.verifier.knowledge.packs.pack import Pack, PackError, Source, default_folder, read_pack, write_pack

__all__ = ["Pack", "PackError", "Source", "core_pack", "default_folder", "read_pack", "write_pack"]
