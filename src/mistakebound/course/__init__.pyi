from mistakebound.course.marking import Exercise as Exercise
from mistakebound.course.marking import Mark as Mark
from mistakebound.course.marking import check as check
from mistakebound.course.marking import exercises as exercises
from mistakebound.course.marking import hint as hint
