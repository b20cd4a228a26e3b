"""The description of the JSON API, made from the very models that requests are checked with."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from knowledge.text.language import Lang
from knowledge.words import read_languages


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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


class SubmitBody(_Strict):
    source: str = Field(min_length=1, max_length=262144)
    problem: str | None = Field(None, max_length=64, description="Slug; without one the code is only explained.")
    backend: Literal["auto", "gpu", "emulator", "compile"] = "auto"


_JSON_OBJECT = {"application/json": {"schema": {"type": "object"}}}
_ERROR = {
    "description": "One sentence that says what was wrong.",
    "content": {
        "application/json": {
            "schema": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
        }
    },
}


@lru_cache(maxsize=1)
def description() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "warpmate",
            "version": "1",
            "description": "Ask, search, recommend, plans, problems and submissions. Served on loopback only.",
        },
        "paths": {
            "/api/v1/ask": {"post": _operation("ask", AskBody)},
            "/api/v1/search": {"get": _operation("search", query=SearchQuery)},
            "/api/v1/recommend": {"get": _operation("recommend", query=RecommendQuery, may_be_absent=True)},
            "/api/v1/path": {"get": _operation("path", query=PathQuery, may_be_absent=True)},
            "/api/v1/plan": {
                "get": _operation("plan", query=PlanQuery, may_be_absent=True),
                "post": _operation("plan_start", PlanBody, may_be_absent=True),
            },
            "/api/v1/plan/changes": {"post": _operation("plan_change", PlanChangeBody, may_be_absent=True)},
            "/api/v1/plan/questions": {"get": _operation("plan_questions", query=PlanQuery)},
            "/api/v1/plan/answers": {"post": _operation("plan_answer", ReviewBody, may_be_absent=True)},
            "/api/v1/problems": {"get": _operation("problems")},
            "/api/v1/problems/{slug}": {"get": _operation("problem", path="slug")},
            "/api/v1/submissions": {
                "post": _operation("submit", SubmitBody, made="202", may_be_absent=True),
                "get": _operation("submissions"),
            },
            "/api/v1/submissions/{id}": {"get": _operation("submission", path="id")},
        },
    }


def _operation(
    name: str,
    body: type[BaseModel] | None = None,
    *,
    query: type[BaseModel] | None = None,
    path: str = "",
    made: str = "200",
    may_be_absent: bool = False,
) -> dict[str, Any]:
    answers: dict[str, Any] = {made: {"description": "Done.", "content": _JSON_OBJECT}}
    codes = [*(["422"] if body or query else []), *(["404"] if path or may_be_absent else [])]
    codes += ["403", "415", "413", "429"] if body else []
    answers |= dict.fromkeys([*codes, "503"], _ERROR)
    made_of: dict[str, Any] = {
        "operationId": name,
        "summary": read_languages("site")["en"](f"api.{name}"),
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
