"""patterns_db.children: child processes leave out the caller's folder."""

import os
import subprocess
import sys

from patterns_db.children import safe_children


def test_children_import_nothing_from_the_folder_of_the_caller(tmp_path):
    (tmp_path / "trap.py").write_text("")
    command = [sys.executable, "-c", "import trap"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    before = dict(os.environ)
    with safe_children():
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert b"No module named 'trap'" in ended.stderr
    assert dict(os.environ) == before
