import numpy as np
from gymnasium.utils.env_checker import check_env

from bedside.registry import make
from bedside.training.teaching_moves import STRATEGIES, TeachingMoves

LEAVE = 24


def moves(cases):
    return TeachingMoves(make("bedside/Discharge-v0", cases=cases[:2]))


def play(env, policy, seed=3):
    features, _ = env.reset(seed=seed)
    total, over, words = 0.0, False, []
    while not over:
        features, reward, terminated, truncated, info = env.step(np.int64(policy(features)))
        assert env.observation_space.contains(features)
        total += reward
        words.append((info["said"], info["heard"]))
        over = terminated or truncated
    return total, words


def teach(features):
    """Ask back each portion after telling it; then leave."""
    for stage in range(6):
        told, asked, _ = features[3 * stage : 3 * stage + 3]
        if told and not asked:
            return 4 * stage + STRATEGIES.index("ask_back")
        if told < 1:
            return 4 * stage
    return LEAVE


def test_it_is_a_gymnasium_environment(open_cases):
    check_env(moves(open_cases), skip_render_check=True)


def test_telling_is_worth_more_than_leaving_and_asking_back_no_less(open_cases):
    def tell(features):
        return next((4 * stage for stage in range(6) if features[3 * stage] < 1), LEAVE)

    env = moves(open_cases)
    policies = (teach, tell, lambda _: LEAVE)
    taught, told, left = (sum(play(env, policy, seed)[0] for seed in range(4)) for policy in policies)
    assert taught >= told > left


def test_same_seed_same_words(open_cases):
    assert play(moves(open_cases), teach) == play(moves(open_cases), teach)


def test_what_comes_back_is_observed(open_cases):
    env = moves(open_cases)
    env.reset(seed=3)
    env.step(np.int64(0))
    features, *_, info = env.step(np.int64(STRATEGIES.index("ask_back")))
    assert features[1] == 1
    assert 0 <= features[2] <= 1
    assert info["heard"]
