#!/usr/bin/env python3
"""Prints a software bill of materials: everything the project is made of, as CycloneDX 1.5 JSON.

tools/sbom.py                     what the lists of the project name: Debian packages with the
                                  versions in tools/packages.tested.txt, Python and Node packages
                                  with their hashes. Nothing else is part of it.
tools/sbom.py --record-packages   writes the versions of the Debian packages that are installed here
                                  into tools/packages.tested.txt: those with which ./test passed
tools/sbom.py --into WHEEL --build FOLDER
                                  puts into a wheel what was compiled into it in FOLDER, headers and
                                  libraries without a file of their own; auditwheel, which comes
                                  next, adds a list of the files that it puts beside
"""

import argparse
import base64
import json
import re
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTED = "tools/packages.tested.txt"
PYTHON_LISTS = {
    "tools/requirements.txt": "test",
    "tools/requirements-anndata.txt": "test",
    "tools/requirements-lowest.txt": "test",
    "tools/requirements-site.txt": "test",
    "bench/requirements-build.txt": "bench",
    "bench/requirements.txt": "bench",
}


def debian_packages(root=ROOT):
    """Name and purpose (build or test) of each."""
    text = (root / "tools/packages.txt").read_text()
    return [(name, purpose) for purpose, name in re.findall(r"(?m)^(build|test) +(\S+)", text)]


def installed_versions(names):
    """What dpkg has of them, as name and version; runtime libraries follow from these packages."""
    query = ["dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n", *names]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    lines = [line.split() for line in done.stdout.splitlines()]
    return {line[0]: line[1] for line in lines if line[-1] == "installed"}


def tested_versions(root=ROOT):
    lines = (root / TESTED).read_text().splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def record_packages(root=ROOT):
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())[1]
    versions = installed_versions([name for name, _ in debian_packages(root)])
    lines = [f"# Versions with which ./test passed, on {system}; tools/sbom.py --record-packages."]
    lines += [f"{name} {versions[name]}" for name in sorted(versions)]
    (root / TESTED).write_text("\n".join(lines) + "\n")


def component(kind, name, version, purpose, hashes=()):
    url = f"pkg:{kind}/{name}" + (f"@{version}" if version else "")
    made = {"type": "library", "name": name, "purl": url, "bom-ref": url}
    if version:
        made["version"] = version
    # What users run is built from the packages to build; all else is for developers.
    made["scope"] = "required" if purpose == "build" else "excluded"
    made["properties"] = [{"name": "tamis:purpose", "value": purpose}]
    if hashes:
        made["hashes"] = [{"alg": name, "content": digest} for name, digest in hashes]
    return made


def debian_components(root):
    versions = tested_versions(root)
    for name, purpose in debian_packages(root):
        yield component("deb/debian", name, versions.get(name), purpose)


def python_components(root):
    seen = set()  # a package may be in several lists
    for path, purpose in PYTHON_LISTS.items():
        text = (root / path).read_text().replace("\\\n", " ")
        for name, version, rest in re.findall(r"(?m)^([\w.-]+)==(\S+)(.*)$", text):
            if (name.lower(), version) in seen:
                continue
            seen.add((name.lower(), version))
            digests = [("SHA-256", digest) for digest in re.findall(r"sha256:(\w+)", rest)]
            yield component("pypi", name.lower().replace("_", "-"), version, purpose, digests)


def node_components(root):
    lock = json.loads((root / "tests/browser/package-lock.json").read_text())
    for path, package in lock["packages"].items():
        if not path:
            continue  # the project itself
        algorithm, _, digest = package["integrity"].partition("-")
        content = base64.b64decode(digest).hex()
        hashes = [(algorithm.upper().replace("SHA", "SHA-"), content)]
        name = path.rpartition("node_modules/")[2].replace("@", "%40")
        yield component("npm", name, package["version"], "test", hashes)


def bill_of_materials(root=ROOT):
    return bill_of([*debian_components(root), *python_components(root), *node_components(root)])


def bill_of(components, root=ROOT):
    version = re.search(r"(?m)^  VERSION (\S+)$", (root / "CMakeLists.txt").read_text())[1]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "tamis", "version": version}},
        "components": components,
    }


def files_compiled(folder):
    """What the compiler read, as Ninja remembers it, but for the project's own."""
    command = ["ninja", "-C", folder, "-t", "deps"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = {line.strip() for line in done.stdout.splitlines() if line.startswith(" ")}
    return sorted(str(Path(folder, line).resolve()) for line in lines)


def packages_of_python(files):
    """Name and version of those that are installed in an environment."""
    found = set()
    for folder, name in {
        re.match(r"(.*/site-packages)/(\w+)/", file).groups()
        for file in files
        if "/site-packages/" in file
    }:
        (information,) = Path(folder).glob(f"{name}-*.dist-info")
        found.add((name, information.stem.partition("-")[2]))
    return found


def packages_of_debian(files):
    """Name and version of those that dpkg knows the files of."""
    query = ["dpkg-query", "--search", *(file for file in files if file.startswith("/usr/"))]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    names = {line.partition(":")[0] for line in done.stdout.splitlines()}
    return set(installed_versions(sorted(names)).items())


def bill_of_wheel(folder):
    """What was compiled in a folder."""
    files = files_compiled(folder)
    kinds = (("deb/debian", packages_of_debian(files)), ("pypi", packages_of_python(files)))
    return bill_of(
        [
            component(kind, name, version, "build")
            for kind, packages in kinds
            for name, version in sorted(packages)
        ]
    )


def put_into(wheel, folder):
    """Where the packaging standards look for it; auditwheel lists it among the wheel's files."""
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as archive:
        record = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        name = record.replace("RECORD", "sboms/tamis.cdx.json")
        archive.writestr(name, json.dumps(bill_of_wheel(folder), indent=2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record-packages", action="store_true")
    parser.add_argument("--into", metavar="WHEEL")
    parser.add_argument("--build", metavar="FOLDER")
    words = parser.parse_args()
    if words.record_packages:
        record_packages()
    elif words.into:
        put_into(words.into, words.build)
    else:
        print(json.dumps(bill_of_materials(), indent=2))


if __name__ == "__main__":
    main()
