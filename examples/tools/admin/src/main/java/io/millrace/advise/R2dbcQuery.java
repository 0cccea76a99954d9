package io.millrace.advise;

import io.millrace.advisor.Catalog;
import io.millrace.advisor.SchemaQuery;
import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks a database over R2DBC.
 *
 * @param connections the connections
 * @param limit how long an answer may take
 */
record R2dbcQuery(ConnectionFactory connections, Duration limit) implements SchemaQuery {

  /** Which database it is; empty if the advisor does not know it. Asks Spanner for its dialect. */
  Optional<Catalog> catalog() {
    String name = connections.getMetadata().getName().toLowerCase(Locale.ROOT);
    if (name.contains("spanner")) {
      return Optional.of(
          R2dbcDialect.SPANNER_POSTGRESQL.equals(R2dbcDialect.of(connections).block(limit))
              ? Catalog.SPANNER_POSTGRESQL
              : Catalog.SPANNER);
    }
    if (name.contains("postgres")) {
      return Optional.of(Catalog.POSTGRESQL);
    }
    if (name.contains("mysql") || name.contains("mariadb")) {
      return Optional.of(Catalog.MYSQL);
    }
    return name.contains("h2") ? Optional.of(Catalog.H2) : Optional.empty();
  }

  @Override
  public List<List<@Nullable String>> rows(String sql) {
    return Objects.requireNonNull(
        Flux.usingWhen(
                Mono.from(connections.create()),
                connection ->
                    Flux.from(connection.createStatement(sql).execute())
                        .concatMap(result -> result.map(R2dbcQuery::texts)),
                Connection::close)
            .collectList()
            .block(limit));
  }

  private static List<@Nullable String> texts(Row row, RowMetadata metadata) {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < metadata.getColumnMetadatas().size(); i++) {
      Object value = row.get(i);
      texts.add(
          value instanceof byte[] bytes
              ? new String(bytes, StandardCharsets.UTF_8)
              : value == null ? null : value.toString());
    }
    return texts;
  }
}
