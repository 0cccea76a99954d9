package io.millrace.spring.data.spanner;

import java.util.Map;
import org.springframework.data.relational.core.dialect.ArrayColumns;
import org.springframework.util.ClassUtils;

/** Array columns: the driver binds numbers as arrays of primitives only. */
enum SpannerArrays implements ArrayColumns {
  INSTANCE;

  private static final Map<Class<?>, Class<?>> PRIMITIVE =
      Map.of(
          Long.class, long.class,
          Integer.class, int.class,
          Double.class, double.class,
          Float.class, float.class);

  @Override
  public boolean isSupported() {
    return true;
  }

  @Override
  public Class<?> getArrayType(Class<?> elements) {
    Class<?> boxed =
        ClassUtils.resolvePrimitiveIfNecessary(ArrayColumns.unwrapComponentType(elements));
    return PRIMITIVE.getOrDefault(boxed, boxed);
  }
}
