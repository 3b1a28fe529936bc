"""Outcomes, and what they show: to a program, to a person, and to a model.

In: what a check found.  Out: values, reports, feedback, data for a model.  What goes to a model is
made here alone, and passes `visibility` and `model_data`.
"""
