package io.millrace.tools;

import java.awt.Color;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The style of the charts of all tools. */
public final class ChartStyle {

  private ChartStyle() {}

  /** Sets a white background, and number formats that do not depend on the locale. */
  public static void set(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setLocale(Locale.ROOT);
  }

  /** The same for bars. They reach every corner, so the legend is a line below the chart. */
  public static void setBars(CategoryChart chart) {
    set(chart.getStyler());
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
  }
}
