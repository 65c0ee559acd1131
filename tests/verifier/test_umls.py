import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from bedside.verifier.knowledge.packs import PackError, read_pack, rrf
from bedside.verifier.knowledge.packs.rrf import build_from_release
from bedside.verifier.knowledge.packs.umls import category_of, relation_name, spoken
from bedside.verifier.knowledge.packs.umls_remote import build_from_service
from bedside.verifier.knowledge.packs.umls_rest import UmlsClient, UmlsError

KEY = "secret-key-0123"


def conso(cui, aui, sab, tty, code, text, lat="ENG", suppress="N", ts="P", stt="PF", pref="Y"):
    return f"{cui}|{lat}|{ts}|L1|{stt}|S1|{pref}|{aui}||||{sab}|{tty}|{code}|{text}|0|{suppress}||"


def rel(target, rela, subject, sab="SNOMEDCT_US", suppress="N"):
    return f"{target}||CUI|RO|{subject}||CUI|{rela}|R1||{sab}|{sab}|||{suppress}||"


def sat(cui, aui, code, name, sab, value, suppress="N"):
    return f"{cui}|L1|S1|{aui}|AUI|{code}|AT1||{name}|{sab}|{value}|{suppress}||"


CHEST, METO, ECG, HTN, THORAX, BETA, CAT = (f"C000000{n}" for n in range(1, 8))
RELEASE = {
    "MRCONSO.RRF": [
        conso(CHEST, "A01", "SNOMEDCT_US", "FN", "29857009", "Chest pain (finding)"),
        conso(CHEST, "A02", "SNOMEDCT_US", "PT", "29857009", "Chest pain"),
        conso(CHEST, "A03", "SNOMEDCT_US", "SY", "29857009", "Thoracic pain"),
        conso(CHEST, "A04", "SNOMEDCT_US", "SY", "29857009", "Suppressed pain", suppress="O"),
        conso(CHEST, "A05", "SNOMEDCT_US", "SY", "29857009", "Editor pain", suppress="E"),
        conso(CHEST, "A06", "SNOMEDCT_US", "IS", "29857009", "Term type not taken"),
        conso(CHEST, "A07", "MSH", "MH", "D002637", "Source not taken"),
        conso(CHEST, "A08", "SNOMEDCT_US", "PT", "1", "Dolor torácico", lat="SPA"),
        conso(CHEST, "A09", "SNOMEDCT_US", "SY", "99", "Retired pain"),
        conso(CHEST, "A10", "ICD10CM", "PT", "R07.9", "Chest pain, unspecified"),
        conso(METO, "A11", "RXNORM", "IN", "6918", "metoprolol"),
        conso(METO, "A12", "RXNORM", "BN", "203191", "Lopressor"),
        conso(METO, "A13", "SNOMEDCT_US", "PT", "372826007", "Metoprolol"),
        conso(METO, "A14", "RXNORM", "TMSY", "6918", "metoprolol tall man"),
        conso(ECG, "A15", "CPT", "PT", "93000", "Electrocardiogram, routine, with interpretation"),
        conso(ECG, "A16", "CPT", "ETCLIN", "93000", "Routine ECG"),
        conso(HTN, "A17", "SNOMEDCT_US", "PT", "38341003", "Hypertensive disorder", ts="S", pref="N"),
        conso(HTN, "A18", "MSH", "MH", "D006973", "Hypertension"),
        conso(THORAX, "A19", "SNOMEDCT_US", "FN", "51185008", "Thoracic structure (body structure)"),
        conso(BETA, "A20", "MED-RT", "PT", "N1", "beta-Adrenergic Blocker"),
        conso(CAT, "A21", "SNOMEDCT_US", "PT", "448169003", "Felis catus"),
    ],
    "MRSTY.RRF": [
        f"{CHEST}|T184|A2.2.2|Sign or Symptom|AT1||",
        f"{METO}|T121|A1|Pharmacologic Substance|AT2||",
        f"{METO}|T109|A1|Organic Chemical|AT3||",
        f"{ECG}|T060|B1|Diagnostic Procedure|AT4||",
        f"{HTN}|T047|B2|Disease or Syndrome|AT5||",
        f"{THORAX}|T023|A1|Body Part|AT6||",
        f"{BETA}|T121|A1|Pharmacologic Substance|AT7||",
        f"{CAT}|T015|A1|Mammal|AT8||",
    ],
    "MRSAT.RRF": [
        sat(CHEST, "A09", "99", "ACTIVE", "SNOMEDCT_US", "0"),
        sat(CHEST, "A03", "29857009", "ACTIVE", "SNOMEDCT_US", "1"),
        sat(METO, "A11", "6918", "RXN_AVAILABLE_STRENGTH", "RXNORM", "50 MG"),
        sat(METO, "A11", "6918", "RXN_AVAILABLE_STRENGTH", "RXNORM", "25 MG"),
        sat(METO, "A11", "6918", "RXN_AVAILABLE_STRENGTH", "RXNORM", "999 MG", suppress="O"),
    ],
    "MRREL.RRF": [
        rel(THORAX, "has_finding_site", CHEST),
        rel(CHEST, "finding_site_of", THORAX),
        rel(HTN, "may_treat", METO, "MED-RT"),
        rel(METO, "may_be_treated_by", HTN, "MED-RT"),
        rel(BETA, "isa", METO, "MED-RT"),
        rel(METO, "inverse_isa", BETA, "MED-RT"),
        rel(CAT, "has_causative_agent", CHEST, suppress="O"),
        rel(CAT, "has_causative_agent", CHEST, "NCI"),
        rel(THORAX, "", CHEST),
    ],
}


def release(tmp_path, **changed):
    folder = tmp_path / "2026AA" / "META"
    folder.mkdir(parents=True)
    for name, lines in {**RELEASE, **changed}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def texts(pack, cui):
    return [(atom.text, atom.source, atom.term_type) for atom in pack.atoms if atom.concept == f"umls:{cui}"]


class TestRelease:
    @pytest.fixture
    def pack(self, tmp_path):
        return build_from_release(release(tmp_path), tmp_path / "umls", tmp_path / "work")

    def test_only_the_named_term_types_of_active_english_atoms_are_taken(self, pack):
        assert texts(pack, CHEST) == [
            ("Chest pain", "SNOMEDCT_US", "PT"),
            ("Chest pain, unspecified", "ICD10CM", "PT"),
            ("Thoracic pain", "SNOMEDCT_US", "SY"),
        ]
        assert texts(pack, METO) == [("metoprolol", "RXNORM", "IN"), ("Lopressor", "RXNORM", "BN")]
        assert texts(pack, ECG)[1] == ("Routine ECG", "CPT", "ETCLIN")

    def test_what_no_claim_is_about_is_left_out(self, pack):
        assert {atom.concept for atom in pack.atoms} == {f"umls:{cui}" for cui in (CHEST, METO, ECG, HTN)}
        assert {atom.category for atom in pack.atoms if atom.concept == f"umls:{ECG}"} == {"procedure"}

    def test_codes_and_provenance_come_along(self, pack):
        atom = next(atom for atom in pack.atoms if atom.source == "ICD10CM")
        assert (atom.code, atom.category, atom.in_history, atom.patient) == ("R07.9", "symptom", False, None)

    def test_relations_read_from_right_to_left_and_carry_names(self, pack):
        chest = next(atom for atom in pack.atoms if atom.concept == f"umls:{CHEST}").relations
        assert "Thoracic structure" in chest["finding_site"]
        assert "causative_agent" not in chest
        meto = next(atom for atom in pack.atoms if atom.concept == f"umls:{METO}").relations
        assert "Hypertension" in meto["may_treat"]
        assert "beta-Adrenergic Blocker" in meto["drug_class"]
        assert meto["strength"] == ("25 MG", "50 MG")
        assert meto["core"] == ("drug:metoprolol",)

    def test_the_manifest_says_that_it_is_not_to_be_passed_on(self, pack, tmp_path):
        assert "not to be passed on" in read_pack(tmp_path / "umls").sources[0].licence
        assert pack.version == "1-2026AA"

    def test_it_starts_from_seeds(self, tmp_path):
        seeds = frozenset(("thoracic PAIN", HTN))
        pack = build_from_release(release(tmp_path), tmp_path / "umls", tmp_path / "work", seeds)
        assert {atom.concept for atom in pack.atoms} == {f"umls:{CHEST}", f"umls:{HTN}"}

    def test_the_same_release_gives_the_same_bytes(self, tmp_path):
        folder = release(tmp_path)
        for name in ("a", "b"):
            build_from_release(folder, tmp_path / name, tmp_path / f"work-{name}")
        assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()

    def test_a_stopped_build_goes_on_with_the_file_it_was_at(self, tmp_path, monkeypatch):
        folder, whole = release(tmp_path), tmp_path / "whole"
        build_from_release(folder, whole, tmp_path / "other")
        rows, read = rrf.ReleaseFiles._rows, []

        def stop(self, name):
            for number, row in enumerate(rows(self, name)):
                if name == "MRREL.RRF" and number == 3:
                    raise KeyboardInterrupt
                yield row

        monkeypatch.setattr(rrf.ReleaseFiles, "_rows", stop)
        with pytest.raises(KeyboardInterrupt):
            build_from_release(folder, tmp_path / "umls", tmp_path / "work")

        def watch(self, name):
            read.append(name)
            return rows(self, name)

        monkeypatch.setattr(rrf.ReleaseFiles, "_rows", watch)
        build_from_release(folder, tmp_path / "umls", tmp_path / "work")
        assert read == ["MRREL.RRF", "MRCONSO.RRF"]  # the edges again, then the names of what they point to
        assert (tmp_path / "umls" / "manifest.json").read_bytes() == (whole / "manifest.json").read_bytes()

    def test_another_release_is_read_anew_and_a_damaged_scratch_database_too(self, tmp_path):
        folder, out, work = release(tmp_path), tmp_path / "umls", tmp_path / "work"
        build_from_release(folder, out, work)
        next(work.glob("*.sqlite")).write_bytes(b"SQLite format 3\0 and then nothing sound" * 200)
        assert len(build_from_release(folder, out, work).atoms) == 8
        (folder / "MRCONSO.RRF").write_text(RELEASE["MRCONSO.RRF"][1] + "\n")
        assert len(build_from_release(folder, out, work).atoms) == 1

    def test_a_file_that_is_missing_or_cut_off_is_named(self, tmp_path):
        folder = release(tmp_path, **{"MRREL.RRF": [RELEASE["MRREL.RRF"][0][:20]]})
        with pytest.raises(PackError, match=r"MRREL\.RRF, line 1"):
            build_from_release(folder, tmp_path / "umls", tmp_path / "work")
        (folder / "MRSAT.RRF").unlink()
        with pytest.raises(PackError, match=r"lacks MRSAT\.RRF"):
            build_from_release(folder, tmp_path / "umls", tmp_path / "work")


def test_categories_follow_the_source_and_then_the_semantic_type():
    assert category_of("RXNORM", frozenset()) == "medication"
    assert category_of("SNOMEDCT_US", frozenset(("T033",))) == "symptom"
    assert category_of("SNOMEDCT_US", frozenset(("T015",))) is None


def test_relations_depend_on_the_category():
    assert relation_name("medication", "isa") == "drug_class"
    assert relation_name("condition", "isa") == "is_a"
    assert relation_name("symptom", "may_treat") is None
    assert spoken("SNOMEDCT_US", "FN", "Fever (finding)") == "Fever"
    assert spoken("SNOMEDCT_US", "PT", "Pain (left)") == "Pain (left)"


BASE = "https://uts-ws.nlm.nih.gov/rest/content/current"
ANSWERS = {
    "/search/current": {"result": {"results": [{"ui": CHEST, "name": "Chest pain"}]}},
    f"/content/current/CUI/{CHEST}": {"result": {"semanticTypes": [{"name": "Sign", "uri": f"{BASE}/TUI/T184"}]}},
    f"/content/current/CUI/{CHEST}/atoms": [
        {"ui": "A02", "rootSource": "SNOMEDCT_US", "termType": "PT", "code": f"{BASE}/source/SNOMEDCT_US/29857009",
         "name": "Chest pain", "obsolete": "false", "suppressible": "false"},
        {"ui": "A04", "rootSource": "SNOMEDCT_US", "termType": "SY", "code": "",
         "name": "Old", "obsolete": "true", "suppressible": "false"},
        {"ui": "A03", "rootSource": "SNOMEDCT_US", "termType": "SY", "code": f"{BASE}/source/SNOMEDCT_US/29857009",
         "name": "Thoracic pain", "obsolete": False, "suppressible": False},
    ],
    "/content/current/source/SNOMEDCT_US/29857009/relations": [
        {"additionalRelationLabel": "has_finding_site", "relatedFromId": f"{BASE}/source/SNOMEDCT_US/29857009",
         "relatedId": f"{BASE}/source/SNOMEDCT_US/51185008", "relatedIdName": "Thoracic structure"},
        {"additionalRelationLabel": "has_finding_site", "relatedFromId": f"{BASE}/source/SNOMEDCT_US/1",
         "relatedId": f"{BASE}/source/SNOMEDCT_US/29857009", "relatedIdName": "Chest pain"},
        {"additionalRelationLabel": "inverse_isa", "relatedFromId": f"{BASE}/source/SNOMEDCT_US/29857009",
         "relatedId": f"{BASE}/source/SNOMEDCT_US/2", "relatedIdName": "Narrower pain"},
    ],
}  # fmt: skip


class Service(BaseHTTPRequestHandler):
    """Answers as the real service does, a row a page, after the faults that a test has queued."""

    def do_GET(self):
        url = urlsplit(self.path)
        asked = parse_qs(url.query)
        self.server.seen.append((url.path, asked))
        if asked.get("apiKey") != [KEY]:
            return self.reply(401, b"{}")
        if self.server.faults:
            return self.reply(*self.server.faults.pop(0))
        if asked.get("string") == ["nothing"]:
            return self.reply(200, b'{"result": {"results": [{"ui": "NONE", "name": "NO RESULTS"}]}}')
        answer = ANSWERS.get(url.path)
        if answer is None:
            return self.reply(404, b"{}")
        if isinstance(answer, list):
            page = int(asked["pageNumber"][0])
            answer = {"pageNumber": page, "pageCount": len(answer), "result": answer[page - 1 : page]}
        return self.reply(200, json.dumps(answer).encode())

    def reply(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def service():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.seen, server.faults = [], []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def waits():
    return []


@pytest.fixture
def client(service, waits, tmp_path):
    return make(service, tmp_path, waits)


def make(service, tmp_path, waits, key=KEY, **settings):
    now = [0.0]

    def sleep(seconds):
        waits.append(seconds)
        now[0] += seconds

    base = f"http://127.0.0.1:{service.server_port}"
    settings = {"per_second": 1e6, "clock": lambda: now[0], "sleep": sleep} | settings
    return UmlsClient(key, tmp_path / "answers", base=base, **settings)


class TestService:
    def test_a_pack_is_built_from_seeds(self, client, tmp_path):
        pack = build_from_service(client, tmp_path / "umls", ["chest pain", "thoracic pain", "nothing"])
        assert [(atom.text, atom.code) for atom in pack.atoms] == [
            ("Chest pain", "29857009"),
            ("Thoracic pain", "29857009"),
        ]
        relations = pack.atoms[0].relations
        assert "Thoracic structure" in relations["finding_site"]
        assert "Chest pain" not in relations["finding_site"]
        assert relations["core"] == ("sx:chest-pain",)
        assert read_pack(tmp_path / "umls") == pack

    def test_what_was_answered_is_not_asked_again(self, client, service, waits, tmp_path):
        first = build_from_service(client, tmp_path / "a", ["chest pain"])
        count = len(service.seen)
        again = make(service, tmp_path, waits)
        assert build_from_service(again, tmp_path / "b", ["chest pain"]).content == first.content
        assert (len(service.seen), again.asked) == (count, 0)

    def test_a_damaged_answer_is_asked_for_again(self, client, service, tmp_path):
        client.search("chest pain", ("SNOMEDCT_US",))
        for kept in (tmp_path / "answers").rglob("*.json"):
            kept.write_bytes(b'{"result": ')
        assert client.search("chest pain", ("SNOMEDCT_US",)) == (CHEST,)
        assert len(service.seen) == 2

    @pytest.mark.parametrize(
        "fault", [(429, b""), (500, b""), (503, b"busy"), (200, b'{"result": {"resu'), (200, b"[1]"), (200, b"")]
    )
    def test_passing_faults_are_tried_again(self, client, service, waits, fault):
        service.faults += [fault, fault]
        assert client.search("chest pain", ("SNOMEDCT_US",)) == (CHEST,)
        assert [wait for wait in waits if wait >= 0.5] == [0.5, 1.0]

    def test_retry_after_is_obeyed_within_bounds(self, client, service, waits):
        service.faults += [(429, b"", [("Retry-After", value)]) for value in ("7", "100000", "soon", "-5")]
        client.search("chest pain", ("SNOMEDCT_US",))
        assert [wait for wait in waits if wait == 0 or wait >= 0.5] == [7.0, 120.0, 2.0, 0.0]

    def test_it_gives_up_after_a_bounded_number_of_times(self, client, service):
        service.faults += [(503, b"")] * 50
        with pytest.raises(UmlsError, match="HTTP 503, 6 times"):
            client.search("chest pain", ("SNOMEDCT_US",))
        assert len(service.seen) == 6

    def test_a_service_that_is_away_is_an_error_of_ours(self, service, tmp_path, waits):
        client = make(service, tmp_path, waits)
        service.shutdown()
        service.server_close()
        with pytest.raises(UmlsError, match="6 times"):
            client.search("chest pain", ("SNOMEDCT_US",))

    def test_other_refusals_are_not_repeated(self, client, service):
        service.faults.append((400, b""))
        with pytest.raises(UmlsError, match="HTTP 400"):
            client.search("chest pain", ("SNOMEDCT_US",))
        assert len(service.seen) == 1

    def test_an_unknown_code_has_no_relations(self, client):
        assert list(client.relations("SNOMEDCT_US", "no/such code")) == []

    def test_the_rate_is_limited(self, service, tmp_path, waits):
        client = make(service, tmp_path, waits, per_second=4)
        for name in "abcde":
            client.search(name, ("SNOMEDCT_US",))
        assert waits == [0.25] * 4

    def test_the_key_shows_up_nowhere(self, service, tmp_path, waits, caplog, capsys):
        caplog.set_level(logging.DEBUG)
        client = make(service, tmp_path, waits)
        client.search("chest pain", ("SNOMEDCT_US",))
        service.faults += [(503, b"")] * 6
        with pytest.raises(UmlsError) as failed:
            client.search("other", ("SNOMEDCT_US",))
        with pytest.raises(UmlsError) as refused:
            make(service, tmp_path / "2", waits, key=f"{KEY}-wrong").search("chest pain", ("SNOMEDCT_US",))
        said = "".join((str(failed.value), repr(failed.value), str(refused.value), caplog.text, *capsys.readouterr()))
        said += "".join(f"{path}{path.read_text()}" for path in tmp_path.rglob("*.json"))
        assert KEY not in said
        assert failed.value.__cause__ is None
        assert "refused the key" in str(refused.value)

    def test_it_wants_a_key_and_a_safe_line(self, tmp_path):
        with pytest.raises(UmlsError, match="no UMLS key"):
            UmlsClient("", tmp_path)
        with pytest.raises(UmlsError, match="https"):
            UmlsClient(KEY, tmp_path, base="http://example.org/rest")
