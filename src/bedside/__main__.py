"""``python -m bedside`` is ``bedside``."""

from bedside.cli import main

if __name__ == "__main__":
    main()
