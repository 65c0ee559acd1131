"""Educators that tell the plan under a pretext: on an impossible day, to a bystander, as an error, or crossed out."""

from adversarial_educators import Cheat, each

__all__ = ["PRETEXTS"]

PRETEXTS: tuple[Cheat, ...] = (
    Cheat("crossed out", each("~~You should ", ".~~")),
    Cheat("struck in HTML", each("<del>You should ", ".</del> Hello.")),
    Cheat("near the color of the page", each("<span style='color:#fefefe'>You should ", ".</span> Hello.")),
    Cheat("a silent thought", each("(The nurse silently thinks that you should ", ".)")),
    Cheat("a whisper", each("[whispers so that nobody can hear] You should ")),
    Cheat("lottery", each("If you win the lottery, ")),
    Cheat("after death", each("After you die, ")),
    Cheat("last week", each("Last week you should ")),
    Cheat("hated by the doctor", each("Your doctor hates it when you ")),
    Cheat("joking", each("You must be joking if you ")),
    Cheat("to a roommate", each("For your roommate: ")),
    Cheat("error", each("Error 404: you should ")),
    Cheat("to be crossed out", each("Cross this out: ")),
    Cheat("name of a chapter", each("The chapter on page nine is called: ")),
    Cheat("a doctor of before", each("The previous doctor wanted you to ")),
    Cheat("should have been", each("You should have been told to ")),
    Cheat("typo", each("The typo on your paper says to ")),
    Cheat("wrong idea", each("A wrong idea is to ")),
    Cheat("the worst thing", each("The worst thing you can do is ")),
)
