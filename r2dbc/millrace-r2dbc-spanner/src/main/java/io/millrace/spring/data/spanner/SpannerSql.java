package io.millrace.spring.data.spanner;

import io.millrace.internal.LogSafe;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.spanner.SpannerR2dbcDialect;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.springframework.core.SpringProperties;
import org.springframework.r2dbc.core.binding.BindMarkersFactory;
import reactor.core.scheduler.Schedulers;

/**
 * The two SQL dialects of Cloud Spanner. The driver reports the same name for both, so the dialect
 * is queried once for each factory, unless the property {@value #PROPERTY} is set.
 */
enum SpannerSql {
  GOOGLE_SQL("googlesql"),
  POSTGRESQL("postgresql");

  /** A JVM system property, or a line of {@code spring.properties} on the class path. */
  static final String PROPERTY = "millrace.spanner.dialect";

  private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(30);
  private static final Map<ConnectionFactory, SpannerSql> KNOWN =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final String setting;

  SpannerSql(String setting) {
    this.setting = setting;
  }

  /** Whether a factory is Spanner's driver or a pool over it. */
  static boolean isSpanner(ConnectionFactory connections) {
    return connections.getMetadata().getName().equals(SpannerR2dbcDialect.GOOGLE_SQL.name());
  }

  /** The dialect of a factory's database; empty if it is not Spanner. May block. */
  static Optional<SpannerSql> of(ConnectionFactory connections) {
    if (!isSpanner(connections)) {
      return Optional.empty();
    }
    String set = SpringProperties.getProperty(PROPERTY);
    if (set != null) {
      return Optional.of(ofSetting(set));
    }
    SpannerSql known = KNOWN.get(connections);
    if (known == null) {
      known = ask(connections);
      KNOWN.put(connections, known);
    }
    return Optional.of(known);
  }

  private static SpannerSql ofSetting(String set) {
    for (SpannerSql language : values()) {
      if (language.setting.equals(set.strip().toLowerCase(Locale.ROOT))) {
        return language;
      }
    }
    throw new IllegalArgumentException(
        PROPERTY + " must be googlesql or postgresql, was \"" + LogSafe.line(set) + "\"");
  }

  private static SpannerSql ask(ConnectionFactory connections) {
    if (Schedulers.isInNonBlockingThread()) {
      throw new UnknownDialectException(
          "a query would block the thread " + Thread.currentThread().getName(),
          new IllegalStateException("a thread that must not block"));
    }
    R2dbcDialect dialect;
    try {
      dialect = SpannerR2dbcDialect.GOOGLE_SQL.forDatabase(connections).block(QUERY_TIMEOUT);
    } catch (RuntimeException e) {
      throw new UnknownDialectException("the database did not answer", e);
    }
    return dialect == SpannerR2dbcDialect.POSTGRESQL ? POSTGRESQL : GOOGLE_SQL;
  }

  BindMarkersFactory bindMarkers() {
    return this == POSTGRESQL
        ? SpannerPostgreSqlMarkers::new
        : BindMarkersFactory.named("@", "p", 64, SpannerSql::identifier);
  }

  /** A parameter's name, with _ for each character that is not allowed in a marker. */
  private static String identifier(String hint) {
    StringBuilder kept = new StringBuilder("_");
    for (int i = 0; i < hint.length(); i++) {
      char c = hint.charAt(i);
      kept.append(c < 128 && Character.isLetterOrDigit(c) ? c : '_');
    }
    return kept.toString();
  }
}
