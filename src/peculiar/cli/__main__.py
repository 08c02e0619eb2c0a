"""``python -m peculiar.cli``."""

import sys

from peculiar.cli import main

sys.exit(main())
