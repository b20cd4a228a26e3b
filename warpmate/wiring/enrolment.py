"""What a new host is given: a compose file for one worker, and nothing that another could use."""

from __future__ import annotations

from string import Template

_COMPOSE = Template("""\
# A worker of warpmate on a host of its own. It needs this file, ${key} beside it, and the image warpmate-worker
# (docker build --target worker -t warpmate-worker . in a checkout). Of the server it reaches the gateway alone:
# ${gateway}
# The key has to be readable for the container's user alone: chown 10001 ${key} && chmod 600 ${key}
services:
  worker:
    image: warpmate-worker
    command: ["python", "-m", "worker"]
    restart: unless-stopped
    read_only: true
    tmpfs: ["/tmp"]
    cap_drop: ["ALL"]
    security_opt: ["no-new-privileges:true"]
    stop_grace_period: 10s
    environment:
      WARPMATE_GATEWAY_URL: ${gateway}
      WARPMATE_WORKER_KEY: /run/worker.key
      # WARPMATE_GATEWAY_CA: /run/gateway-ca.pem   # only for a certificate of your own authority; mount it below
    volumes:
      - ./${key}:/run/worker.key:ro
      - cache:/data
    healthcheck:
      test: ["CMD", "python", "-m", "worker", "--health"]
      interval: 15s
      timeout: 5s
      retries: 3
    # With a card (NVIDIA container toolkit):
    # deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 1, capabilities: [gpu]}]}}}

volumes:
  cache:
""")


def compose_file(name: str, gateway: str, key: str) -> str:
    """The file for the worker of that name; its key lies beside it."""
    return f"name: warpmate-{name}\n" + _COMPOSE.substitute(gateway=gateway, key=key)
