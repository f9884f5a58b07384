"""Pictures of demonstrations, by HoloViews with Bokeh; nothing is loaded into a notebook until one is shown."""

from cardlab.charts.pictures import moving, picture
from cardlab.charts.theme import Theme

__all__ = ["Theme", "moving", "picture"]
