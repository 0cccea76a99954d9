package io.millrace.spring.data.spanner;

import org.springframework.r2dbc.core.binding.BindMarker;
import org.springframework.r2dbc.core.binding.BindMarkers;
import org.springframework.r2dbc.core.binding.BindTarget;

/**
 * Markers {@code $1}, {@code $2}… whose values are bound as {@code p1}, {@code p2}…: these are the
 * names in Spanner's client, and the driver binds by name only. For one statement, on one thread.
 */
final class SpannerPostgreSqlMarkers implements BindMarkers {

  private int count;

  @Override
  public BindMarker next() {
    return new Marker(++count);
  }

  private record Marker(int position) implements BindMarker {

    @Override
    public String getPlaceholder() {
      return "$" + position;
    }

    @Override
    public void bind(BindTarget target, Object value) {
      target.bind("p" + position, value);
    }

    @Override
    public void bindNull(BindTarget target, Class<?> type) {
      target.bindNull("p" + position, type);
    }
  }
}
