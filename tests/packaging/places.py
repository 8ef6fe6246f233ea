"""Where the programs under test and the files beside them are."""

from __future__ import annotations

import os
from pathlib import Path

KINDREDD = os.environ["KINDREDD"]
KINDRED = os.environ["KINDRED"]
SOURCE = Path(os.environ["KINDRED_SOURCE_DIR"])
BINARY = Path(os.environ["KINDRED_BINARY_DIR"])
PACKAGING = SOURCE / "packaging"
