"""From a job to its verdict: `open_tools` at the top, `judge` for each job."""

from worker.judge.flow import judge
from worker.judge.ports import CasesReport, GpuBackend, TimingReport, Trial
from worker.judge.tools import Tools, open_tools
from worker.service import Say

__all__ = ["CasesReport", "GpuBackend", "Say", "TimingReport", "Tools", "Trial", "judge", "open_tools"]
