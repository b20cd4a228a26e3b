"""The description of the JSON API, made from the very models that requests are checked with."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from knowledge.api_tokens import LONGEST_NAME, TOKEN_SCOPES, TokenScope
from knowledge.content.problem_help import HINTS
from knowledge.text.language import Lang
from knowledge.words import Language, read_languages
from web.api_rules import API_RULES, NO_TOKEN


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_Name = Annotated[str, Field(min_length=1, max_length=64)]
_Number = Annotated[float, Field(allow_inf_nan=False)]


class AskBody(_Strict):
    question: str = Field(min_length=1, max_length=4000)
    lang: Lang | None = Field(None, description="Language of the reply; else that of the question.")
    follow_up_of: str | None = Field(None, max_length=4000, description="The text of the question before.")


class SearchQuery(_Strict):
    q: str = Field(min_length=1, max_length=4000)
    k: int = Field(10, ge=1, le=50)
    lang: Lang | None = Field(None, description="Only pages in this language.")


class RecommendQuery(_Strict):
    topic: str = Field(min_length=1, max_length=300, description="What to learn, in any words, typos forgiven.")
    level: str | None = Field(
        None, min_length=1, max_length=60, description="beginner, intermediate, advanced; else as reached by now."
    )
    lang: Lang = "en"
    only_lang: Lang | None = Field(None, description="Readings in this language alone.")
    minutes: int | None = Field(None, ge=5, le=6000)
    kinds: str | None = Field(None, max_length=200, description="Only these kinds, with commas between.")
    stretch: bool = Field(False, description="Also what goes beyond.")


class DefineQuery(_Strict):
    term: str = Field(min_length=1, max_length=200, description="By any of its names.")
    lang: Lang = "en"


class PageQuery(_Strict):
    limit: int = Field(100, ge=1, le=100, description="How many at most.")
    after: str | None = Field(None, min_length=1, max_length=64, description="The last one of the page before.")


class BoardQuery(_Strict):
    card: str | None = Field(None, min_length=1, max_length=128, description="Else the first that has entries.")
    predicted: bool = Field(False, description="Times predicted for that card instead of measured ones.")
    language: Literal["cuda", "triton"] | None = Field(None, description="Else all together.")


class PathQuery(_Strict):
    topic: str = Field(min_length=1, max_length=100)
    lang: Lang = "en"


class PlanQuery(_Strict):
    lang: Lang = "en"


class PlanBody(_Strict):
    goal: str = Field(
        min_length=1,
        max_length=100,
        description="`path:<topic>`, `topic:<topic>`, `problem:<slug>`, or a usual name.",
    )
    hours: int = Field(ge=1, le=40, description="Hours a week.")
    level: str | None = Field(None, min_length=1, max_length=60, description="Else as estimated.")
    lang: Lang = "en"


class PlanChangeBody(_Strict):
    change: Literal["hours", "skip", "resume", "part", "stop"]
    hours: int | None = Field(None, ge=1, le=40, description="For `hours`.")
    item: str | None = Field(None, max_length=200, description="For `part`: an item that is longer than a week.")
    reached: int | None = Field(None, ge=1, le=100000, description="For `part`: its minutes that are spent by now.")
    lang: Lang = "en"


class ReviewBody(_Strict):
    question: str = Field(min_length=1, max_length=100, description="Id of a question that is due.")
    right: bool


class HelpQuery(_Strict):
    lang: Lang = "en"


class HintBody(_Strict):
    number: int | None = Field(None, ge=1, le=HINTS, description="The one to open; else the next.")
    lang: Lang = "en"


class GiveUpBody(_Strict):
    lang: Lang = "en"


class SubmitBody(_Strict):
    source: str = Field(min_length=1, max_length=262144)
    problem: str | None = Field(None, max_length=64, description="Slug; without one the code is only explained.")
    backend: Literal["auto", "gpu", "emulator", "compile"] = "auto"
    card: str = Field("", max_length=60, description="The card that it is to be timed on, by any of its names: h200.")


class TryBody(_Strict):
    source: str = Field(min_length=1, max_length=262144)
    problem: str = Field(min_length=1, max_length=64, description="Slug of the problem whose parameters it takes.")
    sizes: dict[_Name, int] = Field(
        default={}, max_length=16, description="By name; with `case` they may be left out."
    )
    values: str = Field("", max_length=64, description="A kind for all inputs: uniform, zeros, ascending, …")
    seed: int = Field(0, ge=0, lt=1 << 53, description="Of random inputs: the same numbers again.")
    typed: dict[_Name, Annotated[list[_Number], Field(max_length=65536)]] = Field(
        default={}, max_length=16, description="Numbers for single inputs."
    )
    element: str = Field("", max_length=80, description="`out[5]`: who wrote this element, and when.")
    line: int = Field(0, ge=0, lt=1 << 31, description="Whose access is shown; 0: that of the one that wastes most.")
    case: int | None = Field(None, ge=1, le=2000, description="A wrong case of one's last verdict on the problem.")


class LoginBody(_Strict):
    name: str = Field(min_length=1, max_length=LONGEST_NAME, description="What is signed in, as its member reads it.")
    scopes: list[TokenScope] = Field(default=list(TOKEN_SCOPES), min_length=1, max_length=4)


class LoginTokenBody(_Strict):
    device_code: str = Field(min_length=1, max_length=200)


WHOLE = "application/vnd.warpmate.whole+json"
"""What our own command line accepts: a reply as the flows hand it out, which may change with every version."""
_JSON_OBJECT = {"application/json": {"schema": {"type": "object"}}}
_ERROR = {
    "description": "What was wrong, as RFC 9457 has it; `detail` is one sentence in the language of the request.",
    "content": {
        "application/problem+json": {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status", "detail"],
                "properties": {
                    "type": {"type": "string"},
                    "title": {"type": "string"},
                    "status": {"type": "integer"},
                    "detail": {"type": "string"},
                },
            }
        }
    },
}
_TOLD = (
    "Ask, search, recommend, plans, problems and submissions. Lists come in pages: `next` and the header `Link` lead "
    "on. Errors are application/problem+json. "
)
_OPEN = "Served on loopback only, to whoever works there."
_SIGNED_IN = (
    "A personal token goes into `Authorization: Bearer …`; it looks from the place for which it was made. "
    "`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` say what is left; 429 comes with `Retry-After`."
)


@lru_cache(maxsize=2)
def description(*, signs_in: bool = False) -> dict[str, Any]:
    """Return the description; with signing in, of what each operation wants a token to be for as well."""
    paths = _paths() | (_login_paths() if signs_in else {})
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "warpmate", "version": "1", "description": _TOLD + (_SIGNED_IN if signs_in else _OPEN)},
        "paths": paths,
    }
    if signs_in:
        found["components"] = {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}
        for path, operations in paths.items():
            for method, operation in operations.items():
                operation.update(_security(API_RULES[method.upper(), path]))
                operation["responses"] |= {"401": _ERROR, "403": _ERROR, "429": _ERROR}
    return found


def _security(scopes: frozenset[str]) -> dict[str, Any]:
    if scopes is NO_TOKEN:
        return {"security": []}
    return {"security": [{"token": [scope]} for scope in TOKEN_SCOPES if scope in scopes]}


def _paths() -> dict[str, Any]:
    return {
        "/api/v1/ask": {"post": _operation("ask", AskBody)},
        "/api/v1/search": {"get": _operation("search", query=SearchQuery)},
        "/api/v1/define": {"get": _operation("define", query=DefineQuery, may_be_absent=True)},
        "/api/v1/recommend": {"get": _operation("recommend", query=RecommendQuery, may_be_absent=True)},
        "/api/v1/path": {"get": _operation("path", query=PathQuery, may_be_absent=True)},
        "/api/v1/plan": {
            "get": _operation("plan", query=PlanQuery, may_be_absent=True),
            "post": _operation("plan_start", PlanBody, may_be_absent=True),
        },
        "/api/v1/plan/changes": {"post": _operation("plan_change", PlanChangeBody, may_be_absent=True)},
        "/api/v1/plan/questions": {"get": _operation("plan_questions", query=PlanQuery)},
        "/api/v1/plan/answers": {"post": _operation("plan_answer", ReviewBody, may_be_absent=True)},
        "/api/v1/progress": {"get": _operation("progress")},
        "/api/v1/problems": {"get": _operation("problems", query=PageQuery)},
        "/api/v1/problems/{slug}": {"get": _operation("problem", path="slug")},
        "/api/v1/problems/{slug}/hints": {
            "get": _operation("hints", query=HelpQuery, path="slug"),
            "post": _operation("hint_open", HintBody, path="slug"),
        },
        "/api/v1/problems/{slug}/editorial": {"get": _operation("editorial", query=HelpQuery, path="slug")},
        "/api/v1/problems/{slug}/give-up": {"post": _operation("give_up", GiveUpBody, path="slug")},
        "/api/v1/boards/{slug}": {"get": _operation("board", query=BoardQuery, path="slug")},
        "/api/v1/submissions": {
            "post": _operation("submit", SubmitBody, made="202", may_be_absent=True),
            "get": _operation("submissions", query=PageQuery),
        },
        "/api/v1/tries": {"post": _operation("try", TryBody, made="202", may_be_absent=True)},
        "/api/v1/submissions/{id}": {"get": _operation("submission", path="id")},
        "/api/v1/submissions/{id}/events": {"get": _operation("events", path="id", content="text/event-stream")},
        "/api/v1/submissions/{id}/cancel": {"post": _operation("cancel", path="id", takes_form=True)},
    }


def _login_paths() -> dict[str, Any]:
    return {
        "/api/v1/login": {"post": _operation("login", LoginBody)},
        "/api/v1/login/token": {"post": _operation("login_token", LoginTokenBody)},
        "/api/v1/me": {"get": _operation("me")},
        "/api/v1/token": {"delete": _operation("token_end", made="204")},
    }


@cache
def _words() -> Language:
    """The site's English, read once for all operations."""
    return read_languages("site")["en"]


def _operation(
    name: str,
    body: type[BaseModel] | None = None,
    *,
    query: type[BaseModel] | None = None,
    path: str = "",
    made: str = "200",
    may_be_absent: bool = False,
    content: str = "",
    takes_form: bool = False,
) -> dict[str, Any]:
    done = {content: {"schema": {"type": "string"}}} if content else _JSON_OBJECT
    answers: dict[str, Any] = {made: {"description": "Done.", **({"content": done} if made != "204" else {})}}
    codes = [*(["422"] if body or query else []), *(["404"] if path or may_be_absent else [])]
    codes += ["400", "403", "415", "413", "429"] if body or takes_form else []
    answers |= dict.fromkeys([*codes, "503"], _ERROR)
    made_of: dict[str, Any] = {
        "operationId": name,
        "summary": _words()(f"api.{name}"),
        "responses": answers,
    }
    if body:
        made_of["requestBody"] = {"required": True, "content": {"application/json": {"schema": _schema(body)}}}
    parameters = [*_of_query(query), *([_of_path(path)] if path else [])]
    return made_of | ({"parameters": parameters} if parameters else {})


def _of_query(query: type[BaseModel] | None) -> list[dict[str, Any]]:
    if query is None:
        return []
    schema = _schema(query)
    return [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": _given(part)}
        for name, part in schema["properties"].items()
    ]


def _given(part: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a query's field without null: in a query, what is optional is left out."""
    options = [option for option in part.get("anyOf", ()) if option.get("type") != "null"]
    return options[0] if len(options) == 1 else {key: value for key, value in part.items() if key != "title"}


def _of_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()
