package io.millrace.r2dbc;

import io.r2dbc.spi.Wrapped;
import java.util.ArrayList;
import java.util.List;

/** The layers of a wrapped object of R2DBC. */
final class Unwrap {

  /** A wrapper may unwrap to itself. */
  private static final int MOST = 10;

  private Unwrap() {}

  /**
   * An object and the objects that it wraps, the outermost first: at most 10 layers, up to one that
   * wraps nothing of the type or does not reveal what it wraps.
   */
  static <T> List<T> of(T outermost, Class<T> type) {
    List<T> layers = new ArrayList<>();
    Object layer = outermost;
    while (type.isInstance(layer) && layers.size() < MOST) {
      layers.add(type.cast(layer));
      layer = layer instanceof Wrapped<?> wrapper ? wrapper.unwrap() : null;
    }
    return layers;
  }

  /** The innermost of these layers, such as the driver's own connection. */
  static <T> T innermost(T outermost, Class<T> type) {
    List<T> layers = of(outermost, type);
    return layers.get(layers.size() - 1);
  }
}
