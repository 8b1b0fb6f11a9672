"""An older copy put back in the database's place: `audit_verify` must say so."""

import time

from bench.faultline.crowds import SIGN
from bench.faultline.run import Run


def old_dump(run: Run) -> str:
    assert run.world.postgres is not None
    file, receipts = run.world.folder / "dump", run.world.folder / "receipts.jsonl"
    time.sleep(3)
    run.world.manage("shell", "-c", SIGN)
    run.world.postgres.dump(file)
    time.sleep(5)
    run.load.stop()
    run.load.write_receipts(receipts)
    run.world.manage("shell", "-c", SIGN)
    assert run.world.manage("audit_verify", "--receipts", str(receipts)).returncode == 0
    for name in list(run.world.parts):
        run.world.kill(name)
    run.world.postgres.restore(file)
    by_checkpoint = run.world.manage("audit_verify", ok=(1,)).stderr
    assert "rolled_back" in by_checkpoint, by_checkpoint
    by_receipts = run.world.manage("audit_verify", "--receipts", str(receipts), ok=(1,)).stderr
    assert "receipt_missing" in by_receipts, by_receipts[:500]
    missing = by_receipts.count("receipt_missing")
    return f"sound before; an older copy restored: audit_verify says rolled_back, and names {missing} missing receipts"
