"""A PostgreSQL database as an installation has it that has grown, made by the server itself in a few seconds.

Members, submissions, verdicts, questions and what hangs on them; 250 members to a guild, and one guild in ten places
is none. What a member does is the same at every size, so a database of a tenth has the plans of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine


@dataclass(frozen=True, slots=True)
class Size:
    members: int
    submissions: int
    questions: int

    @property
    def guilds(self) -> int:
        return self.members // 250


WHOLE = Size(members=50_000, submissions=1_000_000, questions=200_000)
TENTH = Size(members=5_000, submissions=100_000, questions=20_000)

MEMBER, GUILD, PROBLEM, CARD = "discord:7", "guild7", "problem3", "card1"
"""Some of what is there."""

_ID = "lpad(to_hex({n}), 26, '0')"
_MEMBER = "'discord:' || ({n} % :members)"
_GUILD = "CASE WHEN {n} % 10 = 0 THEN NULL ELSE 'guild' || ({n} % :members % :guilds) END"
_AT = "now() - ({n} % 700) * interval '1 day' - ({n} % 86400) * interval '1 second'"
_EVENTS_OF_A_MEMBER = 20


def _of(n: str) -> dict[str, str]:
    parts = {"id": _ID, "member": _MEMBER, "guild": _GUILD, "at": _AT}
    return {name: part.format(n=n) for name, part in parts.items()}


_S = _of("n")
STATEMENTS = (
    f"""INSERT INTO members (id, preferences, created_at)
        SELECT {_S["member"]}, '{{}}', now() FROM generate_series(0, :members - 1) n""",
    f"""INSERT INTO submissions (id, member_id, guild_id, form, problem, source, backend, state, fence, attempts,
                                 lang, public, withdrawn, created_at, finished_at)
        SELECT {_S["id"]}, {_S["member"]}, {_S["guild"]}, 'kernel', 'problem' || (n / :members % 12),
               repeat('float x; ', 20), 'auto', CASE WHEN n < 50 THEN 'waiting' ELSE 'done' END, 1, 1, 'en', false,
               n % 50 = 1, {_S["at"]}, {_S["at"]}
        FROM generate_series(0, :submissions - 1) n""",
    """INSERT INTO verdicts (submission_id, guild_id, problem, kind, backend, card, score, body, at, language,
                              counted)
        SELECT id, guild_id, problem,
               CASE n % 5 WHEN 0 THEN 'race' WHEN 1 THEN 'wrong_result' WHEN 2 THEN 'compile_error'
                    ELSE 'accepted' END,
               CASE n % 3 WHEN 0 THEN 'gpu' ELSE 'emulator' END,
               CASE WHEN n % 3 = 0 THEN 'card' || (n % 4) END,
               CASE WHEN n % 3 = 0 AND n % 5 > 2 THEN n % 1000 / 10.0 END,
               '{"submission":"' || id || '","form":"kernel","problem":"' || problem
                 || '","backend":"emulator","verdict":"accepted"}', finished_at,
               CASE WHEN n % 5 > 2 THEN CASE n % 7 WHEN 0 THEN 'triton' ELSE 'cuda' END END,
               CASE WHEN n % 5 > 2 AND n % 3 > 0 THEN '[]' END
        FROM (SELECT *, ('x' || right(id, 8))::bit(32)::int AS n FROM submissions WHERE state = 'done') numbered""",
    f"""INSERT INTO questions (id, member_id, guild_id, thread, text, lang, status, answer, generation, saved, public,
                               asked_at)
        SELECT {_S["id"]}, {_S["member"]}, {_S["guild"]}, 'thread' || n % 1000, 'what is a warp ' || n, 'en',
               CASE n % 8 WHEN 0 THEN 'refused' ELSE 'answered' END, '{{}}', '', n % 200 = 3, n % 100 = 5, {_S["at"]}
        FROM generate_series(0, :questions - 1) n""",
    f"""INSERT INTO reading_events (member_id, item, event, at)
        SELECT {_S["member"]}, CASE n % 3 WHEN 0 THEN 'problem:problem' || (n / :members % 12)
                                          ELSE 'note:' || n % 300 END,
               CASE n % 3 WHEN 0 THEN 'solved' ELSE 'read' END, {_S["at"]}
        FROM generate_series(0, :members * {_EVENTS_OF_A_MEMBER} - 1) n""",
    """INSERT INTO feedback (question_id, member_id, helpful, reason, at, reviewed_at)
        SELECT id, member_id, n % 10 > 1, '', asked_at, CASE WHEN n % 100 > 1 THEN now() END
        FROM (SELECT *, ('x' || right(id, 8))::bit(32)::int AS n FROM questions) numbered WHERE n % 4 = 1""",
    """INSERT INTO outbox (kind, about, face, owner, guild_id, address, state, created_at)
        SELECT 'answer', id, 'discord', member_id, guild_id, '{}',
               CASE WHEN random() < 0.1 THEN 'undelivered' ELSE 'open' END, asked_at FROM questions WHERE saved""",
    """INSERT INTO reviews (member_id, question, step, due, at)
        SELECT id, 'term:t' || n, 1, current_date + n, now() FROM members, generate_series(0, 4) n""",
    """INSERT INTO site_sessions (id, member_id, created_at, expires_at)
        SELECT md5(id), id, now(), now() + interval '20 days' FROM members""",
    """INSERT INTO api_tokens (id, member_id, name, scopes, secret_hash, created_at)
        SELECT left(md5(id), 26), id, 'ci', '["ask"]', md5(id), now() FROM members""",
    """INSERT INTO daily_counts (day, what, kind, n) SELECT current_date - 5, 'verdict', 'race', 7""",
    """INSERT INTO problem_help (member_id, problem, hints, at)
        SELECT id, 'problem' || n, 1, now() FROM members, generate_series(0, 3) n""",
)


async def fill(engine: AsyncEngine, size: Size) -> None:
    """Write the rows. Foreign keys hold by construction; indexes are made once the rows are there."""
    counts = {"members": size.members, "submissions": size.submissions, "questions": size.questions,
              "guilds": size.guilds}  # fmt: skip
    async with engine.begin() as connection:
        for setting in ("session_replication_role = replica", "synchronous_commit = off", "work_mem = '64MB'",
                        "maintenance_work_mem = '256MB'", "statement_timeout = 0"):  # fmt: skip
            await connection.exec_driver_sql(f"SET LOCAL {setting}")
        indexes = [tuple(row) for row in await connection.exec_driver_sql(_PLAIN_INDEXES)]
        for name, _ in indexes:
            await connection.exec_driver_sql(f"DROP INDEX {name}")
        for statement in STATEMENTS:
            written = statement
            for name, count in counts.items():
                written = written.replace(f":{name}", str(count))
            await connection.exec_driver_sql(written)
        for _, made in indexes:
            await connection.exec_driver_sql(made)
    async with engine.connect() as connection:
        vacuuming = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await vacuuming.exec_driver_sql("VACUUM ANALYZE")


_PLAIN_INDEXES = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid::regclass::text IN ('submissions', 'verdicts', 'questions', 'reading_events')
      AND NOT indisprimary AND NOT indisunique
"""
