"""What the codec uses of msgpack, which ships no types."""

from collections.abc import Callable
from typing import Any

from msgpack.exceptions import ExtraData as ExtraData
from msgpack.exceptions import FormatError as FormatError
from msgpack.exceptions import OutOfData as OutOfData
from msgpack.exceptions import StackError as StackError
from msgpack.exceptions import UnpackException as UnpackException
from msgpack.exceptions import UnpackValueError as UnpackValueError

def packb(
    o: object,
    *,
    use_bin_type: bool = ...,
    strict_types: bool = ...,
    use_single_float: bool = ...,
) -> bytes: ...
def unpackb(
    packed: bytes,
    *,
    use_list: bool = ...,
    raw: bool = ...,
    strict_map_key: bool = ...,
    unicode_errors: str = ...,
    ext_hook: Callable[[int, bytes], Any] = ...,
    object_hook: Callable[[dict[Any, Any]], Any] = ...,
    max_buffer_size: int = ...,
    max_str_len: int = ...,
    max_bin_len: int = ...,
    max_array_len: int = ...,
    max_map_len: int = ...,
    max_ext_len: int = ...,
) -> Any: ...
