"""Builds the package with pip from a checkout; what is generated is generated here (see generate.py)."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # pip builds without the directory of setup.py on the path.

import generate  # noqa: E402


class BuildWithStubs(build_py):
    def run(self):
        super().run()
        # An editable install imports from the checkout, so that is where the stubs have to be.
        in_place = getattr(self, "editable_mode", False)
        generate.generate(HERE if in_place else Path(self.build_lib))


setup(version=generate.project_version(), cmdclass={"build_py": BuildWithStubs})
