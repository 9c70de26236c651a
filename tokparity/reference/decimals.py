"""Decimal digits read as serde_json reads them: quickly, and at times one unit in the last place away.

Source: serde_json `de.rs` (`f64_from_parts`, without the feature `float_roundtrip`).
"""

from __future__ import annotations

_LARGEST_POWER = 308  # of ten that is a float


def divided(value: float) -> float:
    """The value's shortest digits as a whole number, divided by (or times) a power of ten: it is rounded twice.

    Digits up to 2**53 are exact, so that only numbers of 16 digits and more may change.
    """
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, decimals = mantissa.partition(".")
    power = int(exponent or 0) - len(decimals)
    found = float(int(whole + decimals))
    if power >= 0:
        return found * 10.0**power
    if power < -_LARGEST_POWER:
        found /= 1e308
        power += _LARGEST_POWER
    return found / float(10**-power)
