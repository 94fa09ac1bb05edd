"""A player that reads records and tables loads no trainer."""

import subprocess
import sys

CHECK = "import sys; import gtp.cli.gtp; print('\\n'.join(sys.modules))"


def test_a_gtp_session_loads_no_trainer():
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "patterns_db.records.sgf" in loaded
    assert "patterns_db.patterns.training" not in loaded
    assert "patterns_db.patterns.pipeline" not in loaded
    assert "engine.review.judging" not in loaded
