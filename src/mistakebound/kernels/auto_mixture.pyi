PRIOR: float
STEEP: float
HEAVIEST: float
REACH: float
RATE: float
SHARE: float
CLIP: float

class Mixture: ...
