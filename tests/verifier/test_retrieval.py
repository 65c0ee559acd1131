import pytest
from trigrams import TrigramEncoder

from bedside.cases.noise import NoiseProfile
from bedside.verifier.claims.extraction import extract_claims
from bedside.verifier.grounding import ground
from bedside.verifier.judgment.rules import judge
from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.index import Index
from bedside.verifier.knowledge.packs import core_pack
from bedside.verifier.knowledge.retrieval import PackRetriever, bare, open_retriever, patient_atoms, weigh
from bedside.verifier.knowledge.surface import SurfaceIndex

EXTRA = (
    Atom("Jinglomycin", "x:1", "medication", relations={"drug_class": ("class:antibiotic",)}),
    Atom("fizzy knee syndrome", "x:2", "condition"),
)


@pytest.fixture(scope="module")
def retriever():
    atoms = (*core_pack().atoms, *EXTRA)
    return PackRetriever(Index.build(atoms, TrigramEncoder()), atoms)


@pytest.fixture
def grounded(case_of):
    """Chest pressure; takes lisinopril; allergic to sulfa antibiotics."""
    return ground(case_of("cir-01"), "interview")


@pytest.fixture(scope="module")
def surface():
    named = {
        "sx:tight": ("tightness in the chest", "chest tightness"),
        "class:diuretic": ("water pill", "diuretic"),
        "drug:metoprolol": ("metoprolol", "Lopressor"),
        "drug:lisinopril": ("lisinopril",),
        "sx:breath": ("shortness of breath",),
        "class:ace": ("ACE-I",),
        "drug:b12": ("vitamin B12",),
    }
    return SurfaceIndex(Atom(text, concept, "any") for concept, texts in named.items() for text in texts)


class TestSurface:
    @pytest.mark.parametrize(
        ("text", "concept", "how"),
        [
            ("water pills", "class:diuretic", "exact"),
            ("my water pill", "class:diuretic", "exact"),
            ("a tightness all over my chest", "sx:tight", "words"),
            ("metoprlol", "drug:metoprolol", "fuzzy"),
            ("lisinipril", "drug:lisinopril", "fuzzy"),
            ("shortnes of breath", "sx:breath", "fuzzy"),
            ("my chesst has a tightnes", "sx:tight", "fuzzy"),
        ],
    )
    def test_it_finds_words_whatever_their_order_number_and_spelling(self, surface, text, concept, how):
        hits = surface.find(text)
        assert concept in [atom.concept for hit in hits for atom in hit.atoms]
        assert {hit.how for hit in hits} == {how}

    @pytest.mark.parametrize("text", ["", "the", "ace me", "xylophone", "vitamin b13"])
    def test_it_invents_nothing(self, surface, text):
        assert surface.find(text) == []

    def test_a_wrong_digit_is_another_thing_and_no_typo(self):
        surface = SurfaceIndex([Atom("diabetes type 1", "c:1", "condition")])
        assert surface.find("diabetes type 2") == []
        assert surface.find("diabetis type 1")[0].how == "fuzzy"

    def test_fuzzy_matches_are_worth_less_than_exact_ones(self, surface):
        assert surface.find("metoprolol")[0].similarity == 1.0
        assert 0.8 < surface.find("metoprlol")[0].similarity < 1.0


@pytest.mark.parametrize(
    ("claim", "about"),
    [
        ("patient takes a blood pressure pill", "blood pressure pill"),
        ("The patient has been having chest tightness.", "chest tightness"),
        ("I was diagnosed with gout", "gout"),
        ("he is allergic to penicillin", "penicillin"),
        ("chest pain", "chest pain"),
        ("the patient", "the patient"),
    ],
)
def test_the_frame_of_a_claim_is_taken_off(claim, about):
    assert bare(claim) == about


class TestPatientAtoms:
    def test_every_name_of_what_is_recorded_is_tagged(self, grounded):
        atoms = patient_atoms(grounded, "p")
        assert all(atom.in_history and atom.patient == "p" and atom.relations["fact"] for atom in atoms)
        known = {atom.text.lower() for atom in atoms}
        assert {"lisinopril", "zestril", "substernal chest pressure"} <= known

    def test_an_allergen_is_an_allergy_and_no_medication(self, grounded):
        assert {a.category for a in patient_atoms(grounded, "p") if a.text == "sulfa antibiotics"} == {"allergy"}

    def test_neither_relatives_nor_the_hidden_diagnosis_are_in_it(self, open_cases):
        for case in open_cases:
            hidden = ground(case, "interview")
            atoms = patient_atoms(hidden, "p")
            facts = {atom.relations["fact"][0] for atom in atoms}
            assert not facts & {fact.id for fact in case.record if fact.kind == "family"}
            recorded = {known.concept for known in hidden.record}
            assert not {atom.concept for atom in atoms} & (hidden.diagnosis - recorded)


class TestRetrieval:
    def test_the_records_own_words_come_first_with_the_fact(self, retriever, grounded):
        best = retriever.retrieve(["patient takes Zestril"], grounded)[0][0]
        assert (best.how, best.similarity, best.in_history, best.concept) == ("exact", 1.0, True, "drug:lisinopril")
        assert [grounded.facts[fact].fact.text for fact in best.facts] == ["lisinopril"]
        assert best.patient == "cir-01/interview"
        assert "class:ace-inhibitor" in best.relations["drug_class"]

    def test_the_embedding_is_asked_only_if_no_words_match(self, retriever, grounded):
        exact, near = retriever.retrieve(["lisinopril", "zzz pressure on chest bone zzz"], grounded)
        assert {evidence.how for evidence in exact} == {"exact"}
        assert {evidence.how for evidence in near} == {"embedding"}
        assert len({evidence.text for evidence in near}) == 5

    def test_a_model_can_have_near_meanings_besides(self, grounded):
        atoms = core_pack().atoms
        retriever = PackRetriever(Index.build(atoms[:3000], TrigramEncoder()), atoms, always_embed=True)
        found = retriever.retrieve(["lisinopril"], grounded)[0]
        assert {evidence.how for evidence in found} == {"exact", "embedding"}
        assert found[0].how == "exact"

    def test_cases_do_not_see_each_other(self, retriever, grounded, case_of):
        other = ground(case_of("bld-02"), "interview")
        for case in (grounded, other, grounded):
            for line in retriever.retrieve(["losartan", "lisinopril", "bruises and pressure here"], case):
                assert all(e.patient is None or e.patient.startswith(case.case.id) for e in line)
        assert retriever.retrieve(["losartan"], other)[0][0].in_history
        assert not any(e.in_history for e in retriever.retrieve(["losartan"], grounded)[0])

    def test_the_two_scopes_of_a_case_are_kept_apart(self, retriever, case_of):
        case = case_of("cir-01")
        told, hidden = ground(case, "discharge"), ground(case, "interview")
        planned = next(fact for fact in case.plan if fact.kind == "medication" and fact.change == "new")
        for _ in range(2):
            assert retriever.retrieve([planned.text], told)[0][0].in_history
            assert not any(e.in_history for e in retriever.retrieve([planned.text], hidden)[0])

    def test_evidence_is_shown_to_a_judge_in_words(self, retriever, grounded):
        line = retriever.describe(retriever.retrieve(["Zestril"], grounded)[0][0])
        assert "ACE inhibitor" in line
        assert "is_in_history=true" in line
        assert "class:" not in line

    def test_the_same_question_gives_the_same_answer(self, retriever, grounded):
        claims = ["pressure upon chest", "lisinoprl", "some dizzy feelings up there"]
        assert retriever.retrieve(claims, grounded) == retriever.retrieve(claims, grounded)
        assert retriever.retrieve(claims[:1], grounded) == retriever.retrieve(claims, grounded)[:1]


class TestWeight:
    @pytest.mark.parametrize(
        ("claim", "weight"),
        [
            ("patient has substernal chest pressure", "in_history"),
            ("patient takes lisinoprl", "in_history"),
            ("patient takes a blood pressure pill", "overlap"),  # seed 001, E.4
            ("patient takes a diabetes pill", "foreign"),  # seed 001, E.5
            ("patient takes metformin", "foreign"),
            ("patient takes enalapril", "foreign"),  # of the same class, but another drug
            ("patient takes jinglomycin", "foreign"),
            ("patient has fizzy knee syndrome", "foreign"),
            ("qwx vbn", "underspecified"),
        ],
    )
    def test_what_the_evidence_speaks_for(self, retriever, grounded, claim, weight):
        assert weigh(retriever.retrieve([claim], grounded)[0], grounded) == weight

    @pytest.mark.parametrize(
        ("claim", "kind", "weight"),
        [
            ("sulfa antibiotics", "allergy", "in_history"),
            ("sulfa antibiotics", "medication", "foreign"),
            ("sulfamethoxazole", "allergy", "overlap"),
            ("penicillin", "allergy", "foreign"),
            ("lisinopril", "allergy", "foreign"),
        ],
    )
    def test_an_allergy_is_not_a_prescription_nor_the_reverse(self, retriever, grounded, claim, kind, weight):
        assert weigh(retriever.retrieve([claim], grounded)[0], grounded, kind) == weight

    def test_nothing_found_says_nothing(self, grounded):
        assert weigh((), grounded) == "underspecified"


def test_it_opens_over_a_pack_with_its_vectors_kept(tmp_path, grounded):
    pack, encoder = core_pack()._replace(atoms=EXTRA, content="few"), TrigramEncoder()
    for _ in range(2):
        found = open_retriever(pack, encoder, tmp_path).retrieve(["jinglomycin"], grounded)[0]
        assert found[0].name == "Jinglomycin"
    assert encoder.encoded == len(EXTRA) + 2 * (len({a.text.lower() for a in patient_atoms(grounded, "p")}))


def test_the_rules_can_ask_for_what_their_tables_do_not_know(retriever, grounded):
    """How a verifier uses it: the grammar and the rules first, retrieval for the words that they passed over."""
    utterance = "I have taken lisinopril for years. They say it is fizzy knee syndrome."
    claims = extract_claims(utterance, grounded)
    labels = {claim.surface: judge(claim, grounded, NoiseProfile()).judgment.label for claim in claims}
    assert labels["lisinopril"] == "supported"
    assert not any("fizzy" in surface for surface in labels)
    evidence = retriever.retrieve(["fizzy knee syndrome"], grounded)[0]
    assert weigh(evidence, grounded) == "foreign"
    assert retriever.describe(evidence[0]).startswith('"fizzy knee syndrome" (exact, similarity=1.00; concept=')
