"""Whatever an address asks for: a page comes, in words, and nothing fails."""

from __future__ import annotations

import string
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_tools import end_documents, new_document, plain
from panel.io.state import set_curdoc

from cardlab.core.registry import GAMES
from cardlab.dashboard.address import DEMO, NAMES, asked_for
from cardlab.dashboard.app import PAGES
from cardlab.dashboard.serving import Serving
from cardlab.desk import Desk
from cardlab.desk.links import desk_of, share
from cardlab.words.errors import CardlabError

REAL = share(Desk("fight_for_the_lead", 3, seed=7).step().step().step()).text
SPECIAL = ["", "0", "-1", "1e999", "NaN", "²", "١", "18446744073709551616", "9" * 400, "null", "[]", "{}", "%00", "\x00",
           "../../etc/passwd", "<script>alert(1)</script>", "' OR 1=1 --", "${7*7}", "{seed}", "\ud800", "\u202e", "QH",
           "Queen of Hearts", "teacher"]  # fmt: skip
words = st.sampled_from([*SPECIAL, *GAMES, "pagat", "ru", "en", "dark", "random", "expert", "odds", "rules", "1"]) | st.text(max_size=40)
links = (
    st.text(string.ascii_letters + string.digits + "-_=", max_size=200).map(lambda text: f"cl1-{text}")
    | st.tuples(st.integers(0, len(REAL)), st.text(string.ascii_letters + string.digits + "-_", max_size=3)).map(
        lambda cut: REAL[: cut[0]] + cut[1] + REAL[cut[0] + len(cut[1]) :]
    )
    | words
)
queries = st.dictionaries(st.sampled_from(sorted(NAMES | DEMO | {"evil", "bokeh-token"})), words, max_size=6)


def bytes_of(text: str) -> bytes:
    """As they come in an address."""
    return text.encode("utf-8", "surrogatepass")


def answered(path: str, query: dict[str, str]) -> Any:
    """The page for a query; it must not raise."""
    document = new_document()
    asked = asked_for({name: [bytes_of(value)] for name, value in query.items()})
    with set_curdoc(document):
        made = PAGES[path](asked, Serving())
        made.page.server_doc(document, location=False)
        strip = plain("".join(getattr(made, "widgets", made).strip.lines))
        made.left(None)
    end_documents()
    return strip


@pytest.mark.parametrize("path", list(PAGES))
def test_any_query_gets_a_page_and_a_sentence(path: str, few_samples: None) -> None:
    @settings(max_examples=15 if path == "/chance" else 25, deadline=None, derandomize=True)
    @given(queries)
    def tried(query: dict[str, str]) -> None:
        strip = answered(path, query)
        assert "Traceback" not in strip
        assert "Error" not in strip.replace("Error.", "")
        assert len(strip) < 1_000

    tried()


@pytest.mark.slow
@pytest.mark.parametrize("path", list(PAGES))
def test_five_hundred_queries(path: str, few_samples: None) -> None:
    @settings(max_examples=500, deadline=None, derandomize=True)
    @given(queries)
    def tried(query: dict[str, str]) -> None:
        strip = answered(path, query)
        assert "Traceback" not in strip
        assert len(strip) < 1_000

    tried()


@settings(max_examples=500, deadline=None, derandomize=True)
@given(links)
def test_any_link_is_a_moment_or_is_refused_in_a_sentence(link: str) -> None:
    refused, desk = None, None
    try:
        desk = desk_of(link)
    except CardlabError as fault:
        refused = str(fault)
    assert 10 < len(refused) < 600 if refused is not None else 0 <= desk.at <= len(desk)


def test_hostile_addresses_over_the_wire(served: Any) -> None:
    """The answer is the page, or a refusal that is no 500, and nothing is logged as an error."""
    import http.client

    for value in SPECIAL[::3]:
        for query in (
            urlencode({"game": "suicide_king", "seed": value}, errors="surrogatepass"),
            f"link=cl1-{quote(value, errors='surrogatepass')}",
        ):
            connection = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=30)
            connection.request("GET", f"/?{query}")
            assert connection.getresponse().status in (200, 302, 400), query
            connection.close()
