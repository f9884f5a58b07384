"""Pictures with HoloViews and Bokeh."""

from cardlab.charts.chances import ChanceGrid, Look, bars, is_bars

__all__ = ["ChanceGrid", "Look", "bars", "is_bars"]
