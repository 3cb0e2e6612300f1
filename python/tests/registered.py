"""What the package knows, for tests over all of it."""

import tamis

METHODS = [method["name"] for method in tamis.methods()]
ESTIMATORS = {
    value._method: value
    for value in vars(tamis).values()
    if isinstance(value, type) and hasattr(value, "_method")
}
