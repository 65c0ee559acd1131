import bz2
import os
import pickle
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.packs import (
    PackError,
    Source,
    core_pack,
    default_folder,
    hpo,
    icd,
    names,
    read_pack,
    write_pack,
)
from bedside.verifier.knowledge.packs.entry import Entry, Form, atoms_from, sites_in
from bedside.verifier.knowledge.packs.open_pack import Stage, build_open_pack
from bedside.verifier.knowledge.packs.report import cross_check, probe, summary
from bedside.verifier.knowledge.packs.stems import _EXCEPTIONS, _STEMS, classes_of
from bedside.verifier.language.lexicon import IDIOM, core

SOURCE = Source("test", "1", "CC0", "nobody")
OBO = r"""format-version: 1.2
data-version: hp/releases/2025-01-16

[Term]
id: HP:0000001
name: All

[Term]
id: HP:0000118
name: Phenotypic abnormality
is_a: HP:0000001 ! All

[Term]
id: HP:0001626
name: Abnormality of the cardiovascular system
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:0100749
name: Chest pain
synonym: "Pain in \"chest\"" RELATED []
synonym: "Thoracic pain" EXACT layperson [ORCID:1]
synonym: "Chest pains" EXACT plural_form []
xref: UMLS:C0008031
xref: SNOMEDCT_US:29857009
is_a: HP:0001626 ! Abnormality of the cardiovascular system

[Term]
id: HP:0000006
name: Autosomal dominant inheritance
is_a: HP:0000001 ! All

[Term]
id: HP:0009999
name: obsolete Something
is_obsolete: true
is_a: HP:0000118

[Typedef]
id: has_part
name: has part
"""
TABULAR = """<?xml version="1.0"?>
<ICD10CM.tabular><chapter><name>9</name>
<desc>Diseases of the circulatory system (I00-I99)</desc>
<section id="I10-I1A"><diag><name>I10</name><desc>Essential (primary) hypertension</desc>
<includes><note>high blood pressure</note></includes></diag></section>
<section id="I20-I25"><diag><name>I20</name><desc>Angina pectoris</desc>
<diag><name>I20.9</name><desc>Angina pectoris, unspecified</desc>
<inclusionTerm><note>Cardiac angina</note></inclusionTerm>
<diag><name>I20.91</name><desc>Too long</desc><inclusionTerm><note>Stenocardia NOS</note></inclusionTerm></diag>
</diag></diag></section></chapter>
<chapter><name>20</name><desc>External causes</desc>
<section id="V00"><diag><name>V00</name><desc>Scooter</desc></diag></section>
</chapter></ICD10CM.tabular>"""


def pickled(path, content):
    path.write_bytes(bz2.compress(pickle.dumps(content)))
    return path


@pytest.fixture
def stages(tmp_path):
    obo, tabular = tmp_path / "hp.obo", tmp_path / "icd.xml"
    obo.write_text(OBO)
    tabular.write_text(TABULAR)
    return [Stage("hpo", hpo.source(obo), obo, hpo.entries), Stage("icd10cm", icd.source("1"), tabular, icd.entries)]


class TestFormat:
    ATOMS = (
        Atom("chest pain", "c:1", "symptom", True, "core", "LAY", "", {"finding_site": ("site:chest",)}),
        Atom("Pectoralgie é", "c:1", "symptom", relations={"finding_site": ("site:chest",)}),
        Atom("aspirin", "c:2", "medication"),
    )

    def test_a_pack_comes_back_as_it_was(self, tmp_path):
        written = write_pack(tmp_path / "p", "test", "1", self.ATOMS, [SOURCE])
        assert read_pack(tmp_path / "p") == written
        manifest = orjson.loads((tmp_path / "p" / "manifest.json").read_bytes())
        assert manifest["counts"] == {"atoms": 3, "concepts": 2}
        assert manifest["sources"][0]["licence"] == "CC0"

    def test_equal_content_gives_equal_bytes(self, tmp_path):
        for name in ("a", "b"):
            write_pack(tmp_path / name, "test", "1", self.ATOMS, [SOURCE])
        for file in ("atoms.jsonl", "concepts.jsonl", "manifest.json"):
            assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()

    def test_a_pack_is_replaced_whole_and_leaves_nothing_behind(self, tmp_path):
        write_pack(tmp_path / "p", "test", "1", self.ATOMS, [SOURCE])
        write_pack(tmp_path / "p", "test", "2", self.ATOMS[2:], [SOURCE])
        assert read_pack(tmp_path / "p").version == "2"
        assert [path.name for path in tmp_path.iterdir()] == ["p"]

    @pytest.mark.parametrize("file", ["atoms.jsonl", "concepts.jsonl"])
    def test_damage_is_noticed(self, tmp_path, file):
        write_pack(tmp_path / "p", "test", "1", self.ATOMS, [SOURCE])
        path = tmp_path / "p" / file
        path.write_bytes(path.read_bytes()[:-2])
        with pytest.raises(PackError, match="damaged"):
            read_pack(tmp_path / "p")

    @pytest.mark.parametrize("content", [b"", b"[]", b'{"format": 99}', b"{"])
    def test_a_bad_manifest_is_noticed(self, tmp_path, content):
        write_pack(tmp_path / "p", "test", "1", self.ATOMS, [SOURCE])
        (tmp_path / "p" / "manifest.json").write_bytes(content)
        with pytest.raises(PackError):
            read_pack(tmp_path / "p")

    def test_a_missing_pack_is_a_pack_error(self, tmp_path):
        with pytest.raises(PackError, match="no readable pack"):
            read_pack(tmp_path / "nowhere")

    def test_patients_do_not_get_onto_the_disk(self, tmp_path):
        with pytest.raises(ValueError, match="patients"):
            write_pack(tmp_path / "p", "test", "1", [self.ATOMS[0]._replace(in_history=True, patient="p1")], [SOURCE])

    def test_one_concept_has_one_set_of_relations(self, tmp_path):
        with pytest.raises(ValueError, match="different relations"):
            write_pack(tmp_path / "p", "test", "1", [self.ATOMS[0], self.ATOMS[0]._replace(relations={})], [SOURCE])

    def test_packs_lie_in_the_users_cache(self, monkeypatch, tmp_path):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert default_folder() == tmp_path / "bedside" / "knowledge"


class TestCore:
    def test_every_form_of_every_concept_but_figures_of_speech_is_an_atom(self):
        assert len(core_pack().atoms) == sum(
            len(concept.forms) for concept in core().concepts.values() if concept.kind != IDIOM
        )

    def test_a_drug_carries_class_and_purpose_and_a_symptom_its_site(self):
        known = {atom.text: atom for atom in core_pack().atoms}
        assert "class:beta-blocker" in known["metoprolol"].relations["drug_class"]
        assert "cond:hypertension" in known["metoprolol"].relations["may_treat"]
        assert known["chest pain"].relations["finding_site"] == ("site:chest",)
        assert known["water pill"].lay
        assert known["water pill"].term_type == "LAY"


class TestReaders:
    def test_hpo_keeps_abnormalities_with_what_links_them(self, stages):
        entry = next(e for e in hpo.entries(stages[0].path) if e.code == "HP:0100749")
        assert [(form.text, form.term_type, form.lay) for form in entry.forms] == [
            ("Chest pain", "PT", False),
            ('Pain in "chest"', "RT", False),
            ("Thoracic pain", "LAY", True),
        ]
        assert entry.relations["is_a"] == ("hpo:HP:0001626",)
        assert entry.relations["body_system"] == ("Abnormality of the cardiovascular system",)
        assert entry.relations["umls"] == ("C0008031",)
        assert entry.relations["finding_site"] == ("site:chest",)

    def test_hpo_leaves_out_the_root_the_obsolete_and_what_nobody_has(self, stages):
        assert [entry.code for entry in hpo.entries(stages[0].path)] == ["HP:0001626", "HP:0100749"]
        assert hpo.source(stages[0].path).version == "2025-01-16"

    def test_an_entry_with_a_core_name_inherits_the_cores_relations(self, stages):
        atoms = [atom for atom in atoms_from(hpo.entries(stages[0].path)) if atom.code == "HP:0100749"]
        assert {atom.relations["core"] for atom in atoms} == {("sx:chest-pain",)}
        assert set(atoms[0].relations["is_a"]) >= {"sx:pain", "hpo:HP:0001626"}

    def test_icd_titles_lose_what_only_a_code_needs(self, stages):
        found = {entry.code: [form.text for form in entry.forms] for entry in icd.entries(stages[1].path)}
        assert found == {
            "I10": ["Essential hypertension", "high blood pressure"],
            "I20": ["Angina pectoris"],
            "I20.9": ["Angina pectoris", "Cardiac angina", "Stenocardia"],
        }

    def test_diseases_are_turned_round_and_animals_left_out(self, tmp_path):
        path = pickled(
            tmp_path / "d.bz2",
            {
                "disease_variant_to_canonical": {
                    "abdomen, acute": ["abdomen, acute"],
                    "acute abdomen": ["abdomen, acute"],
                    "acute abdomens": ["abdomen, acute"],
                    "surgical belly": ["abdomen, acute"],
                    "scrapie": ["scrapie"],
                },
                "disease_canonical_to_data": {
                    "abdomen, acute": {
                        "mesh_id": "D000006",
                        "mesh_tree": ["C23.888.592", "888.1"],
                        "name": "Abdomen, Acute",
                    },
                    "signs": {"mesh_id": "D012816", "mesh_tree": ["C23.888"], "name": "Signs"},
                    "scrapie": {"mesh_id": "D012608", "mesh_tree": ["C22.836"], "name": "Scrapie"},
                },
            },
        )
        atoms = list(atoms_from(names.diseases(path)))
        assert [atom.text for atom in atoms if atom.concept == "mesh:D000006"] == ["Acute Abdomen", "surgical belly"]
        assert atoms[0].relations["is_a"] == ("mesh:D012816",)
        assert {atom.category for atom in atoms} == {"symptom"}

    def test_drugs_in_use_come_with_brands_and_class(self, tmp_path):
        path = pickled(
            tmp_path / "d.bz2",
            {
                "drug_variant_to_canonical": {
                    "exampril": ["exampril"],
                    "bestril": ["exampril"],
                    "1-(2-chlorophenyl)exa": ["exampril"],
                    "labolol-17": ["labolol-17"],
                },
                "drug_canonical_to_data": {
                    "exampril": {"name": "Exampril", "medline_plus_id": "a1", "drugbank_id": "DB1"},
                    "labolol-17": {"name": "Labolol-17", "drugbank_id": "DB2"},
                },
                "drug_variant_to_variant_data": {"bestril": {"is_brand": True}},
            },
        )
        atoms = list(atoms_from(names.drugs(path)))
        assert [(atom.text, atom.term_type, atom.lay) for atom in atoms] == [
            ("Exampril", "PT", False),
            ("bestril", "BN", True),
        ]
        assert atoms[0].relations["drug_class"] == ("class:ace-inhibitor",)

    def test_a_pickle_with_code_in_it_is_refused(self, tmp_path):
        class Evil:
            def __reduce__(self):
                return os.system, ("echo never",)

        with pytest.raises(pickle.UnpicklingError, match="needs no"):
            names.read_dictionary(pickled(tmp_path / "d.bz2", {"x": Evil()}))

    def test_stems_name_classes_of_the_core(self):
        assert all(f"class:{name}" in core() for name in _STEMS.values())
        assert all(f"class:{name}" in core() for known in _EXCEPTIONS.values() for name in known)

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("fosinopril", ("class:ace-inhibitor",)),
            ("rosuvastatin calcium", ("class:statin",)),
            ("nystatin", ("class:antifungal",)),
            ("aripiprazole", ()),
            ("posaconazole", ("class:azole-antifungal",)),
            ("aspirin", ()),
        ],
    )
    def test_the_end_of_a_generic_name_tells_its_class(self, name, expected):
        assert classes_of(name) == expected

    def test_stems_agree_with_the_classes_that_the_core_gives(self):
        lexicon = core()
        drugs = [concept for concept in lexicon.concepts.values() if concept.id.startswith("drug:")]
        wrong = [
            (drug.name, told)
            for drug in drugs
            if (told := classes_of(drug.name)) and not set(told) & lexicon.ancestors(drug.id)
        ]
        assert len(wrong) <= 0.1 * sum(bool(classes_of(drug.name)) for drug in drugs), wrong

    def test_sites(self):
        assert "site:chest" in sites_in("Thoracic pain, chest wall")
        assert sites_in("Nothing here") == ()

    def test_an_entry_that_several_core_concepts_share_is_linked_to_none(self):
        entry = Entry("x:1", "condition", "X", "1", (Form("asthma"), Form("gout")), {})
        assert all("core" not in atom.relations for atom in atoms_from([entry]))


class TestOpenPack:
    def test_it_holds_the_core_and_each_stage(self, tmp_path, stages):
        pack = build_open_pack(tmp_path / "open", tmp_path / "work", stages)
        assert pack.origins.keys() == {"core", "HPO", "ICD10CM"}
        assert [source.name for source in pack.sources] == ["core", "HPO", "ICD10CM"]
        assert read_pack(tmp_path / "open") == pack
        assert summary(pack)["atoms"] == len(pack.atoms)
        assert probe(pack.atoms, ["cardiac angina"]) == {"cardiac angina": ["cardiac angina = icd10:I20.9 (exact)"]}
        check = cross_check(pack)
        if check is not None:  # the package is an extra
            assert check.codes[1] > 0.95 * check.codes[0] > 0

    def test_it_is_the_same_bytes_each_time_resumed_or_not(self, tmp_path, stages):
        build_open_pack(tmp_path / "a", tmp_path / "work-a", stages)
        build_open_pack(tmp_path / "b", tmp_path / "work-b", stages[:1])
        build_open_pack(tmp_path / "b", tmp_path / "work-b", stages)
        assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()

    def test_finished_stages_are_not_read_again_unless_damaged_or_changed(self, tmp_path, stages):
        read = []

        def watch(name, atoms):
            read.append(name)
            return atoms

        def build():
            read.clear()
            build_open_pack(tmp_path / "open", tmp_path / "work", stages, watch)
            return list(read)

        assert build() == ["hpo", "icd10cm"]
        assert build() == []
        (tmp_path / "work" / "hpo" / "atoms.jsonl").write_bytes(b"")
        assert build() == ["hpo"]
        stages[1].path.write_text(TABULAR.replace("Cardiac angina", "Heart angina"))
        assert build() == ["icd10cm"]


def test_nothing_heavy_is_imported_before_a_model_is_used():
    heavy = "{'torch', 'faiss', 'sentence_transformers'}"
    code = (
        "import sys, bedside\n"
        "from bedside.verifier.knowledge import index, packs, retrieval\n"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_script_builds_the_core_pack(tmp_path):
    script = Path(__file__).parents[2] / "scripts" / "build_knowledge.py"
    command = [sys.executable, str(script), "--pack", "core", "--out", str(tmp_path / "core")]
    subprocess.run(command, check=True, capture_output=True)
    assert read_pack(tmp_path / "core").content == core_pack().content
    report = orjson.loads((tmp_path / "core" / "report.json").read_bytes())
    assert report["probes"]["water pill"][0].startswith("water pill = class:diuretic")
