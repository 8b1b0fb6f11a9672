"""The parts of `bench/faults.py`: private databases, the production shape as killable processes, load with receipts."""
