"""The seven interaction guards of seed 004: pure, one file each, all of one shape."""
