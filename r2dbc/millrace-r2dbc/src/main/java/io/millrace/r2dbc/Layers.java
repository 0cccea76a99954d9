package io.millrace.r2dbc;

import io.r2dbc.spi.Wrapped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The layers of a wrapped object of R2DBC. */
final class Layers {

  private static final Logger LOGGER = Loggers.getLogger(Layers.class);

  /** A wrapper may unwrap to itself. */
  private static final int MOST = 10;

  private Layers() {}

  /**
   * An object and what it wraps, the outermost first: at most 10 layers, up to one that wraps
   * nothing of the type or does not tell what it wraps.
   */
  static <T> List<T> of(T outermost, Class<T> type) {
    List<T> layers = new ArrayList<>();
    Object layer = outermost;
    while (type.isInstance(layer) && layers.size() < MOST) {
      layers.add(type.cast(layer));
      layer = layer instanceof Wrapped<?> wrapper ? unwrapped(wrapper) : null;
    }
    return layers;
  }

  /** The wrapped object; null if the wrapper throws. */
  private static @Nullable Object unwrapped(Wrapped<?> wrapper) {
    try {
      return wrapper.unwrap();
    } catch (Throwable thrown) {
      LOGGER.debug("What a wrapper wraps could not be found", thrown);
      return null;
    }
  }
}
