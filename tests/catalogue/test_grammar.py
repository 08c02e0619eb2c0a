"""Reading expressions: random trees come back, and no text does anything but make a tree or an error with a caret."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from peculiar.catalogue import measure
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.notes import in_words
from peculiar.catalogue.expressions.grammar import parse_features
from peculiar.catalogue.expressions.nodes import (
    ASINHMAG,
    FUNCTIONS,
    Binary,
    Call,
    Column,
    Negative,
    Number,
    Power,
    columns_of,
)
from peculiar.catalogue.expressions.propagate import Watch, evaluate
from peculiar.errors import CatalogueError

NAMES = ["u", "g_mag", "B-V", "flux (Jy)", "log10", "x.y", "été"]
COLUMNS = MeasuredColumns(
    {name: np.linspace(0.5 + j, 1.5 + j, 4) for j, name in enumerate(NAMES)},
    {name: np.full(4, 0.01) for name in NAMES},
)
numbers = st.builds(Number, st.floats(0, 1e3, allow_subnormal=False))
columns = st.builds(Column, st.sampled_from(NAMES))


def grow(inner):
    return st.one_of(
        st.builds(Negative, inner),
        st.builds(Binary, st.sampled_from("+-*/"), inner, inner),
        st.builds(Power, inner, st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 1 / 3])),
        st.builds(Call, st.sampled_from(FUNCTIONS), inner),
        st.builds(Call, st.just(ASINHMAG), inner, st.sampled_from([1e-3, 0.5, 20.0])),
    )


trees = st.recursive(numbers | columns, grow, max_leaves=12).filter(columns_of)


def values(tree):
    watch = Watch("", COLUMNS)
    with np.errstate(all="ignore"):
        dual = evaluate(tree, watch)
    return dual.value, dual.partials, in_words(watch.notes), in_words(watch.warnings)


@given(trees)
def test_a_tree_printed_and_read_again_is_the_same(tree):
    (feature,) = parse_features(str(tree))
    assert str(feature.tree) == str(tree)
    assert list(feature.columns) == columns_of(tree)
    np.testing.assert_equal(values(feature.tree), values(tree))


ALPHABET = "ab1.0e+-*/^()`,= \n%$\"'[]{}:;_logsqrtxp\x00é𝛼"


@given(st.one_of(st.text(), st.text(alphabet=ALPHABET, max_size=60)))
@example("(" * 500)
@example("-" * 5000 + "a")
@example("a" + "+a" * 5000)
@example("a" + "^2" * 500)
@example("sqrt(" * 300 + "a" + ")" * 300)
@example("a, a")
@example("1e999*a")
@example("a^1e999")
@example("a^(1/0)")
@example("`")
@example("``")
@example("=")
@example("a=")
@example("\ud800")
def test_any_text_is_a_feature_or_an_error_that_points_into_it(text):
    try:
        parse_features(text)
    except CatalogueError as error:
        message = str(error)
        assert message.count("\n") <= 2
        if "\n" not in message:
            assert message.startswith(("no features were given", "two features are called"))
            return
        _, shown, caret = message.split("\n")
        assert set(caret) == {" ", "^"}
        assert 2 <= caret.index("^") < len(shown)
        assert len(shown) <= 80


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("u % g", 2),
        ("u - g, log10(u; 3)", 14),
        ("u - ", 2),
        ("u + * g", 4),
        ("sin(u)", 0),
        ("u g", 2),
        ("2u", 1),
        ("(u", 0),
        ("u)", 1),
        ("u, , g", 3),
        ("u ^ g", 4),
        ("u^2^3", 3),
        ("`u", 0),
        ("3 + 4", 0),
        ("__import__('os')", 11),
        ("u.real()", 0),
        ("u[a]", 1),
        ("a == b", 3),
        ("f = ", 2),
        ("lambda: 0", 6),
    ],
)
def test_the_caret_is_under_the_offending_character(text, position):
    with pytest.raises(CatalogueError) as caught:
        parse_features(text)
    _, shown, caret = str(caught.value).split("\n")
    assert shown == f"  {text}"
    assert caret == " " * (position + 2) + "^"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("-u^2", "-((u)^(2.0))".replace("(u)", "u")),
        ("u - g - r", "(u - g) - r"),
        ("u / g * r", "(u / g) * r"),
        ("u - g * r", "u - (g * r)"),
        ("2**-1 * u", "((2.0)^(-1.0)) * u"),
        ("u^(1/3)", f"u^({1 / 3!r})"),
        ("u^(1+1)", "u^(2.0)"),
        ("u^(3-1)", "u^(2.0)"),
        ("u^(2*-1)", "u^(-2.0)"),
        ("u^+2", "u^(2.0)"),
        ("--u", "u"),
        ("+u", "u"),
        ("u*-g", "u * (-g)"),
        ("log10 (u)", "log10(u)"),
        ("log10", "log10"),
        ("`u mag` - `2`", "`u mag` - `2`"),
        ("1.5e-3*u", "(0.0015) * u"),
        (".5*u", "(0.5) * u"),
    ],
)
def test_precedence(text, meaning):
    assert str(parse_features(text)[0].tree) == meaning


def test_labels():
    text = "u-r, `g mag`, size = log10( r50 ),  g   -  r, (a), `my size` = b + 1"
    labels = [feature.label for feature in parse_features(text)]
    assert labels == ["u-r", "g mag", "size", "g - r", "a", "my size"]


def test_several_texts():
    assert [feature.label for feature in parse_features(["u - r", "g, i"])] == ["u - r", "g", "i"]


def test_a_long_text_is_shown_around_the_caret():
    text = "u + " * 100 + "% + " + "g + " * 100 + "r"
    with pytest.raises(CatalogueError) as caught:
        parse_features(text)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) <= 74
    assert shown[caret.index("^")] == "%"


@pytest.mark.parametrize("features", ["", "  ", [], [""]])
def test_no_features(features):
    with pytest.raises(CatalogueError, match=r"^no features were given; name at least one column$"):
        parse_features(features)


def test_two_of_the_same_name():
    with pytest.raises(
        CatalogueError, match=r"^two features are called 'u'; give one of them a name: 'other = u'$"
    ):
        parse_features("u, u")


def test_not_text():
    with pytest.raises(CatalogueError, match=r"^features are text such as 'u - r', not int \(3\)$"):
        parse_features([3])


@pytest.mark.parametrize("operator", ["+", "*"])
def test_terms_within_parentheses_within_terms_are_refused_before_they_exhaust_the_stack(operator):
    row = f" {operator} u" * 150
    text = "u"
    for _ in range(30):
        text = f"({text}{row})"
    for hard in (text, f"u ^ ({text.replace('u', '1')})", f"log10({text})"):
        with pytest.raises(CatalogueError, match="more than 250 operations upon one another"):
            parse_features(hard)


def test_what_is_allowed_can_be_printed_and_evaluated():
    text = "u" + " + u" * 190
    for _ in range(39):
        text = f"({text} / 1)"
    (feature,) = parse_features(f"x = {text}")
    assert str(feature.tree).count("u") == 191
    sky = measure({"u": [1.0, 2.0], "u_err": [0.1, 0.1]}, f"x = {text}")
    assert sky.X[1, 0] == pytest.approx(382.0)
