package io.millrace.tools;

import java.awt.Color;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** How the charts of all tools look. */
public final class ChartStyle {

  private ChartStyle() {}

  /** On white, with numbers written the same way in every country. */
  public static void set(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setLocale(Locale.ROOT);
  }

  /** The same for bars, which reach every corner: the legend is a line below them. */
  public static void setBars(CategoryChart chart) {
    set(chart.getStyler());
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
  }
}
