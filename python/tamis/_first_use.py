"""The core, loaded when something of it is first used.

Its libraries take longer to load than all else that `import tamis` does.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any


class _OnFirstUse(ModuleType):
    """Stands for a module until one of its names is asked for."""

    def __getattr__(self, name: str) -> Any:
        # The import puts the module itself into its package, for whoever asks there next.
        value = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    from tamis import _core as _core
else:
    _core = _OnFirstUse("tamis._core")
