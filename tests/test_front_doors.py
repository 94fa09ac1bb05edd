"""The names that the engine offers to its users."""

import engine


def test_the_engine_offers_few_names():
    assert len(engine.__all__) <= 40
    assert sorted(set(engine.__all__)) == sorted(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)
