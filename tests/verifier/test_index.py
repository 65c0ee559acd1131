import numpy as np
import orjson
import pytest
from trigrams import TrigramEncoder

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.encoder import SentenceEncoder
from bedside.verifier.knowledge.index import TAU, Index
from bedside.verifier.knowledge.packs import core_pack

NAMES = ("chest pain", "chest tightness", "belly pain", "metoprolol", "metformin", "water pill", "shortness of breath")
ATOMS = tuple(Atom(name, f"c:{number}", "symptom") for number, name in enumerate(NAMES))


def mine(text, patient="p1", concept="own"):
    return Atom(text, concept, "symptom", source="record", in_history=True, patient=patient)


def results(index, *texts, **settings):
    return [[(hit.text, hit.similarity) for hit in line] for line in index.search(texts, **settings)]


def test_the_nearest_name_comes_first_with_its_exact_cosine():
    encoder = TrigramEncoder()
    index = Index.build(ATOMS, encoder)
    line = index.search(["chest pains"], 3)[0]
    query, best = encoder.encode(["chest pains"])[0], encoder.encode([line[0].text])[0]
    assert line[0].text == "chest pain"
    assert line[0].similarity == pytest.approx(float(query @ best), abs=1e-4)
    assert [hit.similarity for hit in line] == sorted((hit.similarity for hit in line), reverse=True)


def test_names_that_differ_in_case_only_share_a_vector_and_keep_all_atoms():
    index = Index.build((*ATOMS, Atom("Chest Pain", "hpo:1", "symptom", source="HPO")), TrigramEncoder())
    assert len(index) == len(ATOMS)
    hit = index.search(["CHEST PAIN"], 1)[0][0]
    assert hit.similarity == 1.0
    assert [atom.concept for atom in hit.atoms] == ["c:0", "hpo:1"]


def test_asking_for_more_than_there_is_returns_all_there_is():
    assert len(Index.build(ATOMS, TrigramEncoder()).search(["pain"], 50)[0]) == len(ATOMS)


def test_an_empty_index_and_an_empty_question_return_nothing():
    assert Index.build((), TrigramEncoder()).search(["pain"]) == [[]]
    assert Index.build(ATOMS, TrigramEncoder()).search([]) == []


def test_equally_near_names_come_in_a_fixed_order():
    atoms = [Atom(text, text, "symptom") for text in ("beta", "alpha", "gamma")]

    class Same(TrigramEncoder):
        def encode(self, texts):
            return np.ones((len(texts), 4), np.float32) / 2

    assert [hit.text for hit in Index.build(atoms, Same()).search(["x"], 2)[0]] == ["alpha", "beta"]


class TestPatients:
    def test_a_patients_atoms_are_found_for_that_patient_only(self):
        index = Index.build(ATOMS, TrigramEncoder())
        index.add_patient("p1", [mine("elephant on my chest")])
        index.add_patient("p2", [mine("stone in my shoe", "p2")])
        own = index.search(["elephant on my chest"], 3, patient="p1")[0]
        assert (own[0].text, own[0].in_history, own[0].atoms[0].patient) == ("elephant on my chest", True, "p1")
        for patient in ("p2", None):
            line = index.search(["elephant on my chest"], 50, patient=patient)[0]
            assert all(atom.patient in (patient, None) for hit in line for atom in hit.atoms)
            assert "elephant on my chest" not in [hit.text for hit in line]

    def test_a_name_in_both_is_one_hit_with_the_patients_atom_first(self):
        index = Index.build(ATOMS, TrigramEncoder())
        index.add_patient("p1", [mine("chest pain")])
        line = index.search(["chest pain"], 5, patient="p1")[0]
        assert [atom.in_history for atom in line[0].atoms] == [True, False]
        assert [hit.text for hit in line].count("chest pain") == 1

    def test_adding_again_replaces(self):
        index = Index.build(ATOMS, TrigramEncoder())
        index.add_patient("p1", [mine("chest pain")])
        index.add_patient("p1", [mine("belly pain")])
        assert not index.search(["chest pain"], 1, patient="p1")[0][0].in_history

    def test_known_names_are_not_embedded_again(self):
        encoder = TrigramEncoder()
        index = Index.build(ATOMS, encoder)
        encoder.encoded = 0
        index.add_patient("p1", [mine("chest pain"), mine("Water Pill")])
        index.search(["metformin"], patient="p1")
        assert encoder.encoded == 0

    def test_an_untagged_or_foreign_atom_is_refused(self):
        index = Index.build(ATOMS, TrigramEncoder())
        for atom in (ATOMS[0], mine("chest pain", "p2")):
            with pytest.raises(ValueError, match="in_history"):
                index.add_patient("p1", [atom])

    def test_an_unknown_patient_is_an_error_and_not_an_empty_record(self):
        with pytest.raises(KeyError):
            Index.build(ATOMS, TrigramEncoder()).search(["pain"], patient="nobody")

    def test_a_patient_without_atoms_gets_general_knowledge(self):
        index = Index.build(ATOMS, TrigramEncoder())
        index.add_patient("p1", [])
        assert results(index, "pain", patient="p1") == results(index, "pain")


class TestCache:
    def folder(self, tmp_path):
        return next(path for path in tmp_path.iterdir() if path.is_dir())

    def test_a_second_build_embeds_nothing_and_finds_the_same(self, tmp_path):
        first = results(Index.build(ATOMS, TrigramEncoder(), tmp_path), "chest pains", "water pills")
        encoder = TrigramEncoder()
        index = Index.build(ATOMS, encoder, tmp_path)
        assert encoder.encoded == 0
        assert results(index, "chest pains", "water pills") == first

    def test_two_builds_write_the_same_bytes(self, tmp_path):
        for name in ("a", "b"):
            Index.build(ATOMS, TrigramEncoder(), tmp_path / name)
        one, two = (
            {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
            for name in ("a", "b")
        )
        assert one == two

    @pytest.mark.parametrize(
        "damage", ["truncated", "flipped", "empty", "absent", "foreign", "no about", "bad about", "list"]
    )
    def test_a_damaged_cache_is_built_again(self, tmp_path, damage):
        expected = results(Index.build(ATOMS, TrigramEncoder(), tmp_path), "chest pains")
        vectors, about = self.folder(tmp_path) / "vectors.npy", self.folder(tmp_path) / "about.json"
        content = vectors.read_bytes()
        match damage:
            case "truncated":
                vectors.write_bytes(content[:-8])
            case "flipped":
                vectors.write_bytes(content[:-3] + bytes([content[-3] ^ 1]) + content[-2:])
            case "empty":
                vectors.write_bytes(b"")
            case "absent":
                vectors.unlink()
            case "foreign":
                np.save(vectors, np.zeros((2, 2), np.float32))
            case "no about":
                about.unlink()
            case "bad about":
                about.write_bytes(b'{"format": 1')
            case "list":
                about.write_bytes(b"[]")
        encoder = TrigramEncoder()
        assert results(Index.build(ATOMS, encoder, tmp_path), "chest pains") == expected
        assert encoder.encoded > len(ATOMS)
        encoder.encoded = 0
        Index.build(ATOMS, encoder, tmp_path)
        assert encoder.encoded == 0

    def test_vectors_of_right_checksum_but_wrong_shape_are_not_trusted(self, tmp_path):
        Index.build(ATOMS, TrigramEncoder(), tmp_path)
        folder = self.folder(tmp_path)
        np.save(folder / "vectors.npy", np.zeros((3, 4), np.float32))
        import hashlib

        about = orjson.loads((folder / "about.json").read_bytes())
        about["sha256"] = hashlib.sha256((folder / "vectors.npy").read_bytes()).hexdigest()
        (folder / "about.json").write_bytes(orjson.dumps(about))
        assert results(Index.build(ATOMS, TrigramEncoder(), tmp_path), "chest pain")[0][0] == ("chest pain", 1.0)

    def test_another_model_or_another_content_is_another_cache(self, tmp_path):
        Index.build(ATOMS, TrigramEncoder("model-1"), tmp_path)
        for atoms, fingerprint in ((ATOMS, "model-2"), (ATOMS[1:], "model-1")):
            encoder = TrigramEncoder(fingerprint)
            Index.build(atoms, encoder, tmp_path)
            assert encoder.encoded == len(atoms)
        assert len(list(tmp_path.iterdir())) == 3

    def test_a_stopped_build_goes_on_where_it_was(self, tmp_path, monkeypatch):
        monkeypatch.setattr("bedside.verifier.knowledge.vector_cache._PART", 3)
        stopped = TrigramEncoder()
        stopped.fail_after = 6
        with pytest.raises(KeyboardInterrupt):
            Index.build(ATOMS, stopped, tmp_path)
        damaged = self.folder(tmp_path) / "parts" / "00000.npy"
        damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
        encoder, seen = TrigramEncoder(), []
        index = Index.build(ATOMS, encoder, tmp_path, progress=lambda done, total: seen.append((done, total)))
        assert encoder.encoded == 3 + 1  # the damaged part and the one that was missing
        assert seen == [(3, 7), (6, 7), (7, 7)]
        assert results(index, "chest pains") == results(Index.build(ATOMS, TrigramEncoder()), "chest pains")
        assert not damaged.parent.exists()


def test_minilm_puts_lay_words_next_to_lay_words(tmp_path):
    wanted = {
        "sx:chest-pressure",
        "sx:shortness-of-breath",
        "sx:abdominal-pain",
        "class:diuretic",
        "class:antihypertensive",
    }
    others = {"drug:metformin", "sx:cough", "sx:fever", "cond:asthma", "cond:gout", "proc:colonoscopy", "sx:rash"}
    pack = core_pack()
    atoms = [atom for atom in pack.atoms if atom.concept in wanted | others][:300]
    index = Index.build(atoms, SentenceEncoder("minilm"), tmp_path)
    lines = index.search(["there is a heavy weight on my chest", "I cannot catch a breath", "xylophone lessons"], 1)
    assert [line[0].atoms[0].concept for line in lines[:2]] == ["sx:chest-pressure", "sx:shortness-of-breath"]
    assert lines[0][0].similarity > TAU
    assert lines[2][0].similarity < TAU
    again = Index.open(pack._replace(atoms=tuple(atoms)), SentenceEncoder("minilm"), tmp_path / "opened")
    assert again.search(["I cannot catch a breath"], 1)[0][0] == lines[1][0]
