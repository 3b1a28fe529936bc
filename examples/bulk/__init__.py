"""Rows of a data set, checked by the processes of Dask, Spark and Ray with one contract."""
