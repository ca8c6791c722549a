"""The floor (the cost in the bare libraries) has exactly the operations of an audit."""

from collections import Counter
from itertools import pairwise

from attrs import asdict

from protocol.audit import Auditor
from protocol.entries import OpenContent
from protocol.shuffle_proof import generators
from tests.bench.audit import entry_work
from tests.protocol.computed_once import computed_anew
from tests.protocol.played import played


def test_floor_counts_the_operations_of_an_audit(done: Counter[str]) -> None:
    """`done` counts the operations on points while a record of all kinds of entries is audited."""
    generators(108)
    one = played("canasta", 2)
    moments = one.moments
    expected = Counter[str]()
    for before, after in pairwise(moments):
        for work in entry_work(before.state, after.state):
            expected.update(asdict(work))
    assert any(isinstance(moment.body.content, OpenContent) for moment in moments)
    done.clear()
    auditor = Auditor()
    with computed_anew():
        for _ in auditor.feed(one.record(upto=len(moments) - 1)):
            pass
    assert auditor.height == len(moments) - 1
    assert done == +expected
