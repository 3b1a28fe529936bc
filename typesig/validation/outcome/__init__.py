"""Outcomes, and what they show: to a program, to a person, and to a model.

In: the findings of a check.  Out: values, reports, feedback, data for a model.  Text and data for a
model are made here alone, and pass `visibility` and `model_data`.  To add a form, write its module
on `Outcome`'s fields, and add a method of `Outcome` that loads it.
"""
