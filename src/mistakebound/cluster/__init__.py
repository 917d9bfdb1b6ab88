"""Learning, measuring and predicting on a Dask cluster (extra `cluster`): the same calls with `client=`."""
