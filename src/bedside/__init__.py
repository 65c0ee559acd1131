"""bedside: environments in which language models learn to talk with patients.

>>> import gymnasium, bedside
>>> env = gymnasium.make("bedside:bedside/Discharge-v0")
"""

from bedside.registry import ENV_IDS, make, register_environments

__all__ = ["ENV_IDS", "__version__", "make"]

__version__ = "0.1.0"

register_environments()
