"""Recommendations against a real daemon, and against the definition."""

import random

import pytest

import kindred
from kindred import Example, Graph, Id, Record


def path(letters):
    return Graph(list(letters), [(i, i + 1) for i in range(len(letters) - 1)])


RECORDS = [Record(letters, path(letters), tags={"size": str(len(letters))})
           for letters in ("CCO", "CCN", "CCC", "CCCO", "CCCCO", "NCCO", "OCCO")]


@pytest.fixture
def stored(client):
    client.put(RECORDS)
    return client


def test_scores_are_sums_of_weighted_similarities(stored):
    answer = stored.recommend([Id("CCO"), Example(path("CCCO"), 2)], [Example(Id("CCN"), 0.5)], k=3)
    assert len(answer) == 3 and answer.ids[0] == answer[0].id == "CCCO" and answer.sequence == len(RECORDS)
    for hit in answer:
        first, second, third = hit.similarities
        assert hit.score == first + 2 * second - 0.5 * third
    assert answer.stats.candidates > 0 and "CCCO" in repr(answer)


def test_the_minimum_is_that_of_the_similarities(stored):
    answer = stored.recommend([Id("CCO"), Id("NCCO")], form="minimum", k=100)
    assert [hit.score for hit in answer] == [min(hit.similarities) for hit in answer]
    assert set(answer.ids) == {record.id for record in RECORDS} - {"CCO", "NCCO"}


def test_equals_brute_force_over_searches(stored):
    draw = random.Random(7)
    for _ in range(20):
        graphs = [path("".join(draw.choice("CNO") for _ in range(draw.randint(1, 6)))) for _ in range(4)]
        weights = [draw.choice([1, 2, 0.1, 0.7]) for _ in graphs]
        measure = draw.choice(["tanimoto", "cosine", "kernel"])
        near = [{hit.id: hit.similarity for hit in stored.search(graph, k=100, measure=measure)} for graph in graphs]
        scores = {id: ((0 + weights[0] * near[0][id]) + weights[1] * near[1][id])
                  - weights[2] * near[2][id] - weights[3] * near[3][id] for id in near[0]}
        expected = sorted(scores, key=lambda id: (-scores[id], id))
        examples = [Example(graph, weight) for graph, weight in zip(graphs, weights)]
        for mode in ("pruned", "exhaustive"):
            answer = stored.recommend(examples[:2], examples[2:], k=100, measure=measure, mode=mode)
            assert answer.ids == expected
            assert [hit.score for hit in answer] == [scores[id] for id in expected]


def test_takes_every_parameter(stored):
    answer = stored.recommend([Id("CCO")], depth=1, weights=[1, 2.5], exclude_ids=["CCCO", "none"], min_score=0.1,
                              filter='size = "4"', min_sequence=len(RECORDS), with_tags=True)
    assert set(answer.ids) <= {"NCCO", "OCCO"}
    assert all(hit.score >= 0.1 and hit.tags == {"size": "4"} and hit.payload == b"" for hit in answer)


def test_refusals_name_the_field(stored):
    for match, arguments in (("liked: is empty", dict(liked=[])),
                             ("liked: give a list", dict(liked="CCO")),
                             (r"liked\[1\].weight: 0 is not above 0", dict(liked=[Id("CCO"), Example(Id("CCN"), 0)])),
                             (r"liked\[0\].weight: 'x' is not a number", dict(liked=[Example(Id("CCN"), "x")])),
                             (r"disliked\[0\]: .* is not a graph", dict(liked=[Id("CCO")], disliked=[3])),
                             (r"disliked\[0\].graph.id: 'CCO' is liked", dict(liked=[Id("CCO")], disliked=[Id("CCO")])),
                             ('form: "best" is none of sum, minimum', dict(liked=[Id("CCO")], form="best")),
                             ("takes no weights", dict(liked=[Example(Id("CCO"), 2)], form="minimum")),
                             ("k: 0 is not above 0", dict(liked=[Id("CCO")], k=0)),
                             ("filter: ", dict(liked=[Id("CCO")], filter="size =")),
                             ("min_score: 2(\\.0)? is not between", dict(liked=[Id("CCO")], min_score=2))):
        with pytest.raises(kindred.InvalidArgument, match=match):
            stored.recommend(**arguments)
    with pytest.raises(kindred.NotFound, match=r"liked\[0\].graph.id: no graph has the id 'nobody'"):
        stored.recommend([Id("nobody")])
