"""Tables that are sorted without being in memory: part files, buckets of rows, and a file that is appended to."""

from peculiar.catalogue.sorting.appended import Appended, appending
from peculiar.catalogue.sorting.buckets import Buckets, filling
from peculiar.catalogue.sorting.keys import Keys, bucket_of, edges_of, sorted_rows, thin
from peculiar.catalogue.sorting.part_files import PartFiles, arrays_of
from peculiar.catalogue.sorting.run_folder import RunFolder, files_of, run_folder
from peculiar.catalogue.sorting.types import cast, one_schema, one_type

__all__ = [
    "Appended",
    "Buckets",
    "Keys",
    "PartFiles",
    "RunFolder",
    "appending",
    "arrays_of",
    "bucket_of",
    "cast",
    "edges_of",
    "files_of",
    "filling",
    "one_schema",
    "one_type",
    "run_folder",
    "sorted_rows",
    "thin",
]
