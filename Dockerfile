# Two images from one file: `app` answers people (site, bot, indexer), `worker` checks kernels and knows no secret.
#   docker build --target app .      docker build --target worker .
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS python
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv bubblewrap ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin warpmate
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1

# The rooms that build leave nothing but /opt/venv behind. Where packages come from is a build argument:
# nothing of it stays in an image. The CPU build of torch saves about three gigabytes.
# What we stand on is installed before our own code is copied: a new version of ours installs no package again.
FROM python AS worker-env
ARG PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_TRUSTED_HOST
WORKDIR /build
COPY pyproject.toml requirements.lock README.md LICENSE hatch_build.py ./
RUN python3 -m venv /opt/venv \
    && pip install --no-cache-dir --constraint requirements.lock ".[programs,triton]"
COPY worker worker
# The commit, for `warpmate --version`: there is no git in here.
ARG SOURCE_COMMIT
RUN pip install --no-cache-dir --no-deps --force-reinstall .

FROM python AS worker
# Nvcc compiles the host's half of a whole program with it.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*
COPY --from=worker-env /opt/venv /opt/venv
COPY content/problems /content/problems
COPY content/findings.toml /content/findings.toml
ENV WARPMATE_CONTENT_DIR=/content WARPMATE_DATA_DIR=/data
RUN install --directory --owner=warpmate /data
USER warpmate
VOLUME /data
CMD ["python", "-m", "worker"]

FROM python AS app-env
ARG PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_TRUSTED_HOST
WORKDIR /build
COPY pyproject.toml requirements.lock README.md LICENSE hatch_build.py ./
RUN python3 -m venv /opt/venv \
    && pip install --no-cache-dir "$(grep '^torch==' requirements.lock)" \
    && pip install --no-cache-dir --constraint requirements.lock ".[app]"
COPY warpmate warpmate
COPY bot bot
COPY web web
COPY assistant assistant
COPY knowledge knowledge
COPY indexer indexer
COPY worker worker
# The commit, for `warpmate --version`: there is no git in here.
ARG SOURCE_COMMIT
RUN pip install --no-cache-dir --no-deps --force-reinstall .

FROM python AS app
# Repositories of the group's notes are fetched with it.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=app-env /opt/venv /opt/venv
COPY content /content
ENV WARPMATE_CONTENT_DIR=/content WARPMATE_DATA_DIR=/data WARPMATE_HTTP_HOST=0.0.0.0
RUN install --directory --owner=warpmate /data
USER warpmate
VOLUME /data
EXPOSE 8080
CMD ["warpmate", "run"]
