"""Every command of the command line: what it prints as JSON, what it says when it cannot, its exit codes."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from knowledge.ask.answer import Answer, Excerpt
from tests import prepared
from tests.integration.warpmate.cli import WARPMATE, Home
from warpmate import datadir
from warpmate.commands.ask import show

pytestmark = pytest.mark.slow

READING = {"resource_id", "title", "url", "lang", "level", "minutes", "kind", "topics", "why"}
PAGES = {
    "coalescing.md": ("en", "Coalesced access", """# Coalesced access

Global memory is read in sectors of 32 bytes. When the 32 threads of a warp read neighbouring floats, the hardware
joins their requests into four sectors, which is called coalescing.

A stride of two elements doubles the number of sectors, and half of every sector is thrown away.
"""),
    "barriers.md": ("en", "Barriers", """# Barriers in a block

Every thread of a block has to reach the same barrier before any of them may pass it. A barrier inside a branch that
only some threads take leaves the others waiting for ever.
"""),
    "bank.md": ("zh", "存储体冲突", """# 存储体冲突

共享内存分成三十二个存储体。同一个线程束里的线程访问同一存储体的不同地址时，这些访问只能依次进行，这就是存储体冲突。

给每一行多加一个元素，就能把同一列的数据错开到不同的存储体。
"""),
}  # fmt: skip
ADDRESS = "https://pages.example.org"


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirror")
    rows = []
    for path, (lang, title, text) in PAGES.items():
        (folder / path).write_text(text, encoding="utf-8")
        rows.append({"url": f"{ADDRESS}/{path}", "path": path, "title": title, "lang": lang, "kind": "markdown"})
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, mirror: Path) -> Home:
    """A library of three pages, published."""
    built = Home(tmp_path_factory.mktemp("home") / "data")
    prepared.give_models(tmp_path_factory, built.folder)
    report = built.json("index", "build", "--mirror", str(mirror))
    assert (report["published"], report["pages"], report["changed"], report["failures"]) == (True, 3, 3, [])
    return built


@pytest.fixture
def empty(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Nothing but the model, which takes seconds to make."""
    prepared.give_models(tmp_path_factory, tmp_path / "data")
    return Home(tmp_path / "data")


def test_a_second_build_changes_nothing(home: Home, mirror: Path) -> None:
    report = home.json("index", "build", "--mirror", str(mirror))
    assert (report["published"], report["unchanged"], report["embedded"]) == (False, 3, 0)


def test_refresh_from_a_mirror_counts_what_it_found(home: Home, mirror: Path) -> None:
    report = home.json("index", "refresh", "--mirror", str(mirror))
    assert (report["tried"], report["outcomes"], report["failures"]) == (3, {"unchanged": 3}, [])


def test_index_status_counts_and_dates(home: Home) -> None:
    status = home.json("index", "status")
    assert status["index"]["counts"]["pages"] == 3
    assert (status["pages"], status["stale"], status["problem"]) == (3, 0, "")
    assert status["oldest"] <= status["newest"]


def test_index_status_without_an_index_says_what_mends_it(empty: Home) -> None:
    assert "warpmate index build" in empty.say("index", "status")
    assert empty.json("index", "status")["index"] is None


def test_index_add_names_each_failure_with_its_reason(empty: Home, mirror: Path) -> None:
    urls = [f"{ADDRESS}/barriers.md", f"{ADDRESS}/missing.md", "ftp://pages.example.org/x"]
    done = empty.run("index", "add", *urls, "--mirror", str(mirror), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["tried"], report["outcomes"]) == (2, {"stored": 1, "failed": 1})
    assert {failure["url"]: failure["reason"] for failure in report["failures"]} == {
        urls[1]: "the mirror has no page of this address",
        urls[2]: "this is not the address of a page (no web address); it has to begin with https://",
    }
    assert empty.json("index", "status")["index"]["counts"]["pages"] == 1
    hits = empty.json("search", "barrier in a branch", "-k", "1")["results"]
    assert [hit["path"] or hit["url"].partition("#")[0] for hit in hits] == [urls[0]]


@pytest.mark.parametrize("url", ["barriers.md", "/etc/hostname", "file:///etc/hostname", "http://localhost/x"])
def test_what_is_no_page_of_the_web_is_refused_in_one_line(empty: Home, url: str) -> None:
    before = empty.json("index", "status")["index"]
    for more in ((), ("--json",)):
        assert empty.refusal("index", "add", url, *more).startswith(f"{url} was not added: ")
    assert empty.json("index", "status")["index"] == before


def test_a_page_that_cannot_be_read_is_refused_in_one_line(empty: Home, mirror: Path) -> None:
    url = f"{ADDRESS}/missing.md"
    line = empty.refusal("index", "add", url, "--mirror", str(mirror))
    assert line == f"{url} was not added: the mirror has no page of this address"
    assert url not in [one["url"] for one in empty.json("resource", "list")["resources"]]


def test_index_import_yields_the_parts_of_a_list(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text("# 入门\n\n- [Coalescing](https://a.example/x) – how\n", encoding="utf-8")
    found = empty.json("index", "import", str(tmp_path / "list.md"))
    assert set(found) == {"resources", "papers", "tasks", "keywords", "snippets", "skipped"}
    assert (found["resources"][0]["url"], found["resources"][0]["level"]) == ("https://a.example/x", "beginner")


def test_a_list_becomes_suggestions_that_wait(empty: Home, tmp_path: Path) -> None:
    lines = ["# 入门", "- [Tiles](https://tiles.example.org/a) – 讲解分块", "- [Here](https://printer.local/b)"]
    (tmp_path / "list.md").write_text("\n\n".join(lines), encoding="utf-8")
    assert "drafts" not in empty.json("index", "import", str(tmp_path / "list.md"))
    first, second = [empty.json("index", "import", str(tmp_path / "list.md"), "--add")["drafts"] for _ in range(2)]
    (waiting,) = empty.json("resource", "list", "--state", "pending")["resources"]
    assert first["waiting"] == [{"id": waiting["id"], "url": "https://tiles.example.org/a"}]
    assert (waiting["title"], waiting["level"], waiting["summary"]) == ("Tiles", "beginner", "讲解分块")
    assert [each["url"] for each in first["refused"]] == ["https://printer.local/b"]
    assert (second["waiting"], second["known"]) == ([], ["https://tiles.example.org/a"])
    assert empty.json("resource", "approve", "tiles")["state"] == "approved"


def test_what_a_list_came_to_is_told_in_the_language_asked_for(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text("# 入门\n\n- [Here](https://printer.local/b)\n", encoding="utf-8")
    told = {
        lang: empty.say("index", "import", str(tmp_path / "list.md"), "--add", "--lang", lang)
        for lang in ("en", "zh")
    }
    assert "1 resources, 0 papers" in told["en"]
    assert "0 wait for approval" in told["en"]
    assert "资料 1 条，论文 0 篇" in told["zh"]
    assert "1 条被拒绝" in told["zh"]
    assert "未能提交的原因" in told["zh"]
    assert "was not added" not in told["zh"]


def test_the_content_folder_of_the_env_file_holds_for_every_command(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    (tmp_path / "list.md").write_text("- [Coalescing](https://a.example/x)\n", encoding="utf-8")
    (tmp_path / ".env").write_text(f"WARPMATE_CONTENT_DIR={tmp_path / 'none'}\n", encoding="utf-8")
    for arguments in (("problems", "list"), ("index", "import", str(tmp_path / "list.md"))):
        assert f"{tmp_path / 'none'} holds no topics.yaml" in home.refusal(*arguments)


def test_a_mirror_without_a_manifest_is_refused(empty: Home, tmp_path: Path) -> None:
    assert "manifest.jsonl" in empty.refusal("index", "build", "--mirror", str(tmp_path))


def test_ask_answers_with_excerpts_that_stand_in_their_page(home: Home) -> None:
    answer = home.json("ask", "What is coalescing of global memory reads?")
    assert {"status", "lang", "excerpts", "citations", "composed", "readings", "timings_ms"} <= set(answer)
    assert (answer["status"], answer["lang"]) == ("answered", "en")
    numbers = {citation["n"] for citation in answer["citations"]}
    pages = {" ".join(text.split()) for _, _, text in PAGES.values()}
    assert answer["excerpts"]
    for part in answer["excerpts"]:
        assert set(part) == {"text", "marked", "citation"}
        assert part["citation"] in numbers
        assert any(" ".join(part["text"].split()) in page for page in pages)
        assert all(0 <= start < end <= len(part["text"]) for start, end in part["marked"])
    assert all({"n", "resource_id", "url", "title", "section", "path"} <= set(each) for each in answer["citations"])


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "This may be it; I am not certain."), ("zh", "这可能就是答案，但没有把握。")]
)
def test_an_uncertain_answer_says_so_on_the_command_line(
    capsys: pytest.CaptureFixture[str], lang: str, said: str
) -> None:
    excerpt = Excerpt("A warp has 32 threads.", 0, (), 1)
    for status in ("perhaps", "answered"):
        show(Answer(status, lang, "", (excerpt,)))
        shown = capsys.readouterr().out
        assert (said in shown) is (status == "perhaps")
        assert "A warp has 32 threads. [1]" in shown


def test_ask_refuses_what_the_library_does_not_know_and_offers_readings(home: Home) -> None:
    answer = home.json("ask", "Who won the chess world championship in 1972?")
    assert (answer["status"], answer["excerpts"]) == ("refused", [])
    assert all(set(reading) >= READING for reading in answer["readings"])


def test_a_refusal_at_the_terminal_names_every_reading(home: Home) -> None:
    question = "Who won the chess world championship in 1972?"
    readings = home.json("ask", question)["readings"]
    lines = home.say("ask", question).splitlines()
    assert readings
    assert [line for line in lines if line.startswith("  → ")] == [
        f"  → {reading['title']}  {reading['url'] or reading['resource_id']}" for reading in readings
    ]


def test_what_a_program_reads_is_not_folded(empty: Home) -> None:
    items = empty.json("recommend", "beginner", "cuda")["items"]
    shown = empty.say("recommend", "beginner", "cuda")
    assert [item["title"] for item in items if item["title"] not in shown] == []
    assert [item["resource_id"] for item in items if (item["url"] or item["resource_id"]) not in shown] == []


def test_of_a_member_nobody_knows_nothing_is_remembered(empty: Home) -> None:
    assert empty.say("progress", "--member", "local:nobody") == "Nothing is remembered about local:nobody yet.\n"
    assert "local:nobody" in empty.say("progress", "--member", "local:nobody", "--lang", "zh")


def test_the_version_is_that_of_the_package(empty: Home) -> None:
    assert empty.say("--version") == f"warpmate {version('warpmate')}\n"


def test_ask_answers_a_chinese_question_in_chinese(home: Home) -> None:
    assert home.json("ask", "什么是存储体冲突？")["lang"] == "zh"


def test_search_ranks_passages(home: Home) -> None:
    hits = home.json("search", "存储体冲突", "-k", "2")["results"]
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert {"rank", "score", "url", "path", "title", "section", "lang", "kind", "text"} <= set(hits[0])
    assert hits[0]["path"] == "bank.md"


def test_an_empty_question_is_one_line(home: Home) -> None:
    assert "no question in that" in home.refusal("ask", "   ")
    assert "没有看到问题" in home.refusal("ask", "   ", "--lang", "zh")


def test_recommend_gives_at_most_five_readings(home: Home) -> None:
    found = home.json("recommend", "beginner", "cuda")
    assert found["level"] == "beginner"
    assert 1 <= len(found["items"]) <= 5
    assert all(set(item) >= READING and item["why"] for item in found["items"])


LISTS = [("recommend", "入门", "共享内存"), ("path", "共享内存"), ("problems", "list"), ("resource", "list")]


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_a_chinese_list_says_levels_in_chinese(empty: Home, command: tuple[str, ...]) -> None:
    words = {"beginner": "入门", "intermediate": "中级", "advanced": "高级"}
    cells = re.compile(rf"(?:│ |\()({'|'.join([*words, *words.values()])})(?: +│|,)")
    for lang in ("en", "zh"):
        shown = next(value for value in empty.json(*command, "--lang", lang).values() if isinstance(value, list))
        said = [item["level"] if lang == "en" else words[item["level"]] for item in shown]
        assert sorted(cells.findall(empty.say(*command, "--lang", lang))) == sorted(said) != []


def test_an_unknown_topic_names_the_nearest(home: Home) -> None:
    assert "the nearest are: CUDA graphs" in home.refusal("recommend", "beginner", "cudagraf")
    assert "To begin with there are" in home.refusal("recommend", "beginner", "basket weaving")


@pytest.mark.parametrize("option", [("--lang", "zh"), ("--lang=zh",)], ids=" ".join)
def test_an_error_is_told_in_the_language_of_the_reply(empty: Home, option: tuple[str, ...]) -> None:
    assert "no topic is called" in empty.refusal("path", "basket weaving")
    assert "没有" in empty.refusal("path", "basket weaving", *option)


def test_path_orders_steps(home: Home) -> None:
    way = home.json("path", "gemm")
    assert way["steps"]
    assert all(set(step) >= READING for step in way["steps"])


def test_what_was_read_is_remembered_shown_exported_and_forgotten(home: Home) -> None:
    member = ("--member", "local:grace")
    first = home.json("recommend", "beginner", "cuda", *member)["items"][0]["resource_id"]
    home.json("remember", "read", first, *member)
    assert first not in [item["resource_id"] for item in home.json("recommend", "beginner", "cuda", *member)["items"]]
    assert any(topic["done"] for topic in home.json("progress", *member)["topics"])
    assert json.loads(home.say("db", "export", "local:grace"))["reading_events"][0]["item"] == first
    assert home.json("db", "forget", "local:grace")["removed"]
    assert "nothing is stored" in home.refusal("db", "export", "local:grace")


def test_problems_are_listed_and_shown(empty: Home) -> None:
    slugs = [problem["slug"] for problem in empty.json("problems", "list")["problems"]]
    assert "vector_add" in slugs
    shown = empty.json("problems", "show", "vector_add")
    assert set(shown["statement"]) == {"en", "zh"}
    assert "no problem is called" in empty.refusal("problems", "show", "no_such")


@pytest.mark.needs("bubblewrap")
def test_submit_ends_in_a_verdict_whatever_it_is(empty: Home, tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text("__global__ void k(flaot* x) {}\n")
    verdict = empty.json("submit", str(tmp_path / "kernel.cu"), "--backend", "compile")
    assert verdict["verdict"] == "compile_error"
    assert {"submission", "form", "backend", "compile", "findings", "stages_ms", "protocol"} <= set(verdict)


@pytest.mark.needs("bubblewrap")
def test_a_card_that_this_machine_lacks_is_refused_at_once(empty: Home, tmp_path: Path) -> None:
    """Nobody is left waiting for a worker that will never come; an emulator stands for a machine without a card."""
    (tmp_path / "kernel.cu").write_text("__global__ void k(float* x) {}\n")
    told = empty.refusal("submit", str(tmp_path / "kernel.cu"), "--backend", "gpu", WARPMATE_JUDGE_BACKEND="emulator")
    assert "No GPU worker is connected" in told


def test_resources_go_from_suggestion_to_list_to_removal(empty: Home) -> None:
    url = "https://blog.example.org/warp-shuffles-explained"
    added = empty.json("resource", "add", url, "--topic", "warp", "--level", "beginner", "--member", "local:ada")
    assert (added["state"], added["added_by"], added["level"]) == ("pending", "local:ada", "beginner")
    assert [one["id"] for one in empty.json("resource", "list", "--state", "pending")["resources"]] == [added["id"]]
    assert "waits for a moderator" in empty.refusal("resource", "add", url + "/")
    assert empty.json("resource", "approve", url)["state"] == "approved"
    edited = empty.json("resource", "edit", added["id"], "--title", "Shuffles", "--minutes", "15")
    assert (edited["title"], edited["minutes"]) == ("Shuffles", 15)
    assert empty.json("resource", "info", "shuffles")["id"] == added["id"]
    assert empty.json("resource", "remove", "shuffles")["state"] == "removed"
    assert added["id"] not in [one["id"] for one in empty.json("resource", "list")["resources"]]


def test_the_exported_list_is_read_back_by_the_importer(empty: Home, tmp_path: Path) -> None:
    listed = empty.json("resource", "list")["resources"]
    empty.say("resource", "export", str(tmp_path / "list.md"))
    found = empty.json("index", "import", str(tmp_path / "list.md"))["resources"]
    assert {(one["url"], one["title"], one["level"]) for one in found} == {
        (one["url"], one["title"], one["level"]) for one in listed if one["url"]
    }


def test_a_guilds_resource_is_not_in_the_shared_list(empty: Home) -> None:
    added = empty.json("resource", "add", "https://blog.example.org/x", "--guild", "7", "--approved")
    assert added["id"] in [one["id"] for one in empty.json("resource", "list", "--guild", "7")["resources"]]
    assert "Nothing in the library" in empty.refusal("resource", "info", added["id"])


@pytest.mark.parametrize("url", ["ftp://a.example/x", "http://127.0.0.1/", "no address"])
def test_what_is_no_page_is_refused_in_one_line(empty: Home, url: str) -> None:
    assert empty.refusal("resource", "add", url)


def test_gaps_group_what_was_left_open_and_name_nobody(home: Home) -> None:
    found = home.json("gaps")
    assert (found["days"], found["gaps"]) == (7, [])


def test_eval_measures_a_mirror_alone(home: Home, mirror: Path, tmp_path: Path) -> None:
    questions = [
        {"id": "1", "cell": "en-en", "question": "What is coalescing?", "lang": "en", "relevant": ["coalescing.md"]},
        {"id": "2", "cell": "zh-zh", "question": "什么是存储体冲突？", "lang": "zh",
         "relevant": [f"{ADDRESS}/bank.md"]},
        {"id": "3", "cell": "none", "question": "How long must sourdough rest?", "lang": "en", "relevant": []},
        {"id": "4", "first": "What is a barrier?", "second": "and in a branch?", "relevant": ["barriers.md"]},
    ]  # fmt: skip
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
    before = home.json("index", "status")["index"]["generation"]
    report = home.json("eval", str(file), "--mirror", str(mirror))
    assert set(report["cells"]) == {"en-en", "zh-zh", "followup"}
    assert all(set(cell) == {"hit@1", "hit@3", "hit@5", "ndcg@10", "n"} for cell in report["cells"].values())
    assert report["cells"]["zh-zh"]["hit@1"] == 1.0
    assert set(report["answers"]) == {
        "citation_support", "gold_in_reply", "gold_marked@3", "gold_sentence@3", "false_answers", "false_refusals",
        "refused_unanswerable", "perhaps_unanswerable", "perhaps_answerable", "lost_answers",
        "chars_p50", "p50_ms", "p95_ms",
    }  # fmt: skip
    assert report["answers"]["citation_support"] == 1.0
    assert home.json("index", "status")["index"]["generation"] == before, "the library itself is left alone"


@pytest.mark.parametrize("text", ["", "{not json", '{"id": "1", "cell": "en-en"}'])
def test_questions_that_are_none_are_refused(empty: Home, tmp_path: Path, text: str) -> None:
    (tmp_path / "questions.jsonl").write_text(text)
    assert "questions.jsonl" in empty.refusal("eval", str(tmp_path / "questions.jsonl"))
    assert empty.refusal("eval", str(tmp_path / "no-such.jsonl"))


def test_a_worker_without_a_broker_says_what_to_set(empty: Home) -> None:
    assert "WARPMATE_REDIS_URL" in empty.refusal("worker")
    assert "does not answer" in empty.refusal("worker", "--health", WARPMATE_REDIS_URL="redis://127.0.0.1:1/0")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_indexer_stops_when_told_and_has_fetched_nothing(empty: Home, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*WARPMATE, "indexer"],
        env=empty.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while not _catches_signals(process.pid):
            assert process.poll() is None, process.communicate()
        process.send_signal(number)
        said = f"the library in {empty.folder} is kept fresh; the first round is in 10 minutes\n"
        assert process.communicate(timeout=30) == (said, "")
    finally:
        process.kill()
    assert process.returncode == 0
    assert not (empty.folder / "warpmate.db").exists()


def _catches_signals(pid: int) -> bool:
    """Whether the process has come so far that it catches SIGTERM itself, as the kernel tells it."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def test_two_who_fill_the_library_do_not_meet(empty: Home, mirror: Path) -> None:
    with datadir.held(datadir.prepare(empty.folder), "indexer"):
        assert "is filling the library" in empty.refusal("index", "build", "--mirror", str(mirror))


@pytest.mark.parametrize(
    "arguments",
    [(), ("ask",), ("search", "x", "-k", "0"), ("resource", "list", "--state", "lost"), ("eval",), ("index", "add"),
     ("gaps", "--days", "0"), ("problems", "nothing"), ("submit", "no-such-file.cu"), ("recommend",)],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(empty: Home, arguments: tuple[str, ...]) -> None:
    done = empty.run(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_term_is_defined_by_any_of_its_names_in_both_languages(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    told = home.json("define", "访存合并")
    assert (told["slug"], told["note"]) == ("coalesced-access", "note:coalescing")
    assert told == home.json("define", "合并访问")
    shown = home.say("define", "warps", "--lang", "zh")
    assert "线程束（warp）是" in shown
    assert "来源：CUDA C++ Programming Guide https://" in shown
    assert "bank conflict" in home.refusal("define", "bank conflit")


def test_cards_are_compared_on_the_command_line_in_both_languages(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    told = home.json("card", "h100", "rtx 4090")
    assert told["cards"] == ["NVIDIA H100 SXM", "NVIDIA GeForce RTX 4090"]
    bandwidth = next(row for row in told["rows"] if row["quantity"] == "bandwidth_gb_per_s")
    assert [each["value"] for each in bandwidth["figures"]] == [3350, 1008]
    assert all(each["source"]["title"] for row in told["rows"] for each in row["figures"] if each)
    shown = home.say("card", "h100", "--lang", "zh")
    assert "显存带宽" in shown
    assert "[1] NVIDIA H100 Tensor Core GPU architecture whitepaper https://" in shown
    assert "NVIDIA H200" in home.refusal("card", "h900")
    assert "one to 4" in home.refusal("card", "h100", "h200", "a100", "t4", "l4")
