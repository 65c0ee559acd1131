from bedside.benchmarks.dealing import Dealer

ITEMS = [f"{case}{run}" for case in "abc" for run in range(4)]


def dealt(dealer, *workers):
    return [dealer.next_for(worker) for worker in workers]


def test_what_belongs_together_goes_to_one_worker():
    dealer = Dealer(ITEMS, lambda item: item[0])
    assert dealt(dealer, 0, 1, 0, 1) == [(0, "a0"), (4, "b0"), (1, "a1"), (5, "b1")]


def test_who_has_nothing_left_takes_from_who_has_most():
    dealer = Dealer(ITEMS, lambda item: item[0])
    assert dealt(dealer, 0, 1, 2, 2, 2, 2) == [(0, "a0"), (4, "b0"), *((8 + run, f"c{run}") for run in range(4))]
    assert dealt(dealer, 0, 2, 2) == [(1, "a1"), (7, "b3"), (3, "a3")]


def test_each_item_is_dealt_once_and_none_is_drawn_too_soon():
    drawn = []

    def items():
        for item in ITEMS:
            drawn.append(item)
            yield item

    dealer = Dealer(items())
    first = dealer.next_for(0)
    assert len(drawn) <= 2
    rest = [dealer.next_for(number % 3) for number in range(1, len(ITEMS))]
    assert [first, *rest] == list(enumerate(ITEMS))
    assert dealer.next_for(0) is None
