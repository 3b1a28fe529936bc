"""Lock files on disk: read whole, and replaced at once by one writer at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from typesig import tools_of
from typesig.contracts import Lock, lock
from typesig.contracts.lock import UnwritableFile, open_exclusively, read_bytes, read_lock
from typesig.errors import TooLarge

LOCK = Lock.of(tools_of("examples.explicit"))
OTHER = Lock.of(tools_of("examples.shop"))


def test_a_lock_is_replaced_at_the_end_of_the_block(tmp_path: Path) -> None:
    path = str(tmp_path / "tools.lock")
    with open_exclusively(path) as write:
        write(OTHER)
        write(LOCK)
        assert None is read_lock(path)

    assert LOCK == read_lock(path)
    assert ["tools.lock"] == os.listdir(tmp_path)


def test_nothing_is_written_without_a_lock_or_after_an_error(tmp_path: Path) -> None:
    path = str(tmp_path / "tools.lock")
    with open_exclusively(path):
        pass

    def fail() -> None:
        with open_exclusively(path) as write:
            write(LOCK)
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    assert [] == os.listdir(tmp_path)


def test_a_link_stays_and_so_do_the_rights_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "real.lock").write_text("", encoding="utf-8")
    os.chmod(tmp_path / "real.lock", 0o640)
    os.symlink("real.lock", tmp_path / "tools.lock")
    with open_exclusively(str(tmp_path / "tools.lock")) as write:
        write(LOCK)

    assert os.path.islink(tmp_path / "tools.lock")
    assert LOCK == read_lock(str(tmp_path / "real.lock"))
    assert 0o640 == os.stat(tmp_path / "real.lock").st_mode & 0o777


def test_one_writes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "tools.lock")
    monkeypatch.setattr(lock, "MAX_LOCK_SECONDS", 0.1)
    message = (
        f"{path} cannot be written: another process writes it; if none does, remove {path}.new"
    )
    with open_exclusively(path) as write:
        write(LOCK)
        with pytest.raises(UnwritableFile) as caught, open_exclusively(path):
            raise AssertionError

    assert message == caught.value.args[0]
    assert LOCK == read_lock(path)


@pytest.mark.needs_process
def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "tools.lock")

    def add(name: str) -> None:
        with open_exclusively(path) as write:
            before = read_lock(path)
            kept = {} if before is None else before.tools
            write(Lock({**kept, name: OTHER["search"]._replace(name=name)}))

    threads = [threading.Thread(target=add, args=(f"t{n}",)) for n in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    found = read_lock(path)

    assert found is not None
    assert [f"t{n}" for n in range(8)] == list(found.names)


@pytest.mark.needs_process
def test_a_process_that_is_killed_leaves_the_old_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "tools.lock")
    with open_exclusively(path) as write:
        write(LOCK)
    code = (
        "import os, sys\nfrom typesig import tools_of\nfrom typesig.contracts import Lock\n"
        "from typesig.contracts.lock import open_exclusively\n"
        "with open_exclusively(sys.argv[1]) as write:\n"
        "    write(Lock.of(tools_of('examples.shop')))\n    os._exit(3)\n"
    )
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run([sys.executable, "-c", code, path], check=False, cwd=root)

    assert 3 == ran.returncode
    assert LOCK == read_lock(path)


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    path = str(tmp_path / "tools.lock")
    with open_exclusively(path) as write:
        write(LOCK)

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(lock.os, function, fail)
    with (
        pytest.raises(UnwritableFile, match="cannot be written: no space left"),
        open_exclusively(path) as w,
    ):
        w(OTHER)

    assert LOCK == read_lock(path)
    assert ["tools.lock"] == os.listdir(tmp_path)


def test_a_lock_that_could_not_be_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "MAX_LOCK", 10)
    path = str(tmp_path / "tools.lock")
    with (
        pytest.raises(TooLarge, match="would have more than 10 bytes"),
        open_exclusively(path) as write,
    ):
        write(LOCK)
    (tmp_path / "tools.lock").write_text(LOCK.text(), encoding="utf-8")
    with pytest.raises(TooLarge, match="has more than 10 bytes"):
        read_bytes(path)


def test_a_link_to_nothing_is_no_lock_yet(tmp_path: Path) -> None:
    os.symlink("real.lock", tmp_path / "tools.lock")
    path = str(tmp_path / "tools.lock")

    assert None is read_lock(path)
    with open_exclusively(path) as write:
        write(LOCK)
    assert LOCK == read_lock(str(tmp_path / "real.lock"))
