"""The check of whole files recognizes a torn one."""

from scripts.check.whole_files import content, is_whole, write


def test_a_torn_file_is_noticed(tmp_path):
    data = content("a", 20)
    assert is_whole(data)
    assert not is_whole(data[:-1])
    assert not is_whole(data[:10] + content("b", 20)[10:])
    write(tmp_path / "file", "a", 2, seed=1)
    assert is_whole((tmp_path / "file").read_bytes())
