package io.millrace.r2dbc;

import io.millrace.InvalidOptionException;
import io.millrace.internal.Defaults;
import io.millrace.internal.LogSafe;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Builds an {@link R2dbcSequenceStore}. Each setter validates its argument immediately. */
public final class R2dbcSequenceStoreBuilder {

  /** Spring's connection factory that selects its target from the Context. */
  private static final String ROUTING =
      "org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory";

  final ConnectionFactory connections;
  private @Nullable R2dbcDialect dialect;

  private String table = Defaults.TABLE;
  private String nameColumn = Defaults.NAME_COLUMN;
  private String valueColumn = Defaults.VALUE_COLUMN;
  private int nameLength = Defaults.NAME_LENGTH;

  R2dbcSequenceStoreBuilder(ConnectionFactory connections) {
    this.connections = requireOneDatabase(connections);
  }

  /**
   * Rejects a source that selects a database from the subscriber's Context. Reservations serve many
   * subscribers and have the Context of none, so all values would come from one database.
   */
  static ConnectionFactory requireOneDatabase(ConnectionFactory connections) {
    Objects.requireNonNull(connections, "connections");
    for (Object layer : OwnPool.layers(connections, ConnectionFactory.class)) {
      for (Class<?> type = layer.getClass(); type != null; type = type.getSuperclass()) {
        if (type.getName().equals(ROUTING)) {
          throw new IllegalArgumentException(
              "the ConnectionFactory for sequences, "
                  + layer.getClass().getName()
                  + ", chooses its database by the Context of a subscriber, and a reservation has"
                  + " no such Context: make a store for each database; in Spring, mark the factory"
                  + " of one database with @SequenceConnectionFactory and @Bean(defaultCandidate ="
                  + " false)");
        }
      }
    }
    return connections;
  }

  SequenceNames names() {
    return new SequenceNames(table, nameColumn, valueColumn, nameLength);
  }

  Mono<R2dbcDialect> dialect() {
    return Mono.justOrEmpty(dialect).switchIfEmpty(R2dbcDialect.of(connections));
  }

  /**
   * Sets the name of the table. Defaults to {@code sequences}. Reserved words are allowed, and the
   * name keeps its case if the database distinguishes case.
   *
   * @param name a name that the database accepts, optionally qualified with a schema. If
   *     {@linkplain R2dbcDialect#quote the dialect} rejects it, {@link #build} throws if the
   *     dialect is set; otherwise the first use fails
   * @throws InvalidOptionException if no database accepts the name: it is empty or contains control
   *     characters
   */
  public R2dbcSequenceStoreBuilder table(String name) {
    this.table = NameRule.table("table", name);
    return this;
  }

  /**
   * Sets the name of the key column, which holds the names of sequences. Defaults to {@code name}.
   *
   * @param name a name that the database accepts, as for {@link #table}
   * @throws InvalidOptionException as for {@link #table}
   */
  public R2dbcSequenceStoreBuilder nameColumn(String name) {
    this.nameColumn = NameRule.column("nameColumn", name);
    return this;
  }

  /**
   * Sets the name of the column that holds the next value. Defaults to {@code next_value}. Its type
   * must be {@code BIGINT}.
   *
   * @param name a name that the database accepts, as for {@link #table}
   * @throws InvalidOptionException as for {@link #table}
   */
  public R2dbcSequenceStoreBuilder valueColumn(String name) {
    this.valueColumn = NameRule.column("valueColumn", name);
    return this;
  }

  /**
   * Sets the length of the key column in characters. Defaults to 64.
   *
   * @param characters at least 1
   * @throws InvalidOptionException if {@code characters} is below 1
   */
  public R2dbcSequenceStoreBuilder nameLength(int characters) {
    if (characters < 1) {
      throw new InvalidOptionException("nameLength", characters, "must be at least 1");
    }
    this.nameLength = characters;
    return this;
  }

  /**
   * Sets the dialect of the database. By default, {@link R2dbcDialect#of} detects it when it is
   * first needed.
   */
  public R2dbcSequenceStoreBuilder dialect(R2dbcDialect dialect) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    return this;
  }

  /**
   * Builds the store. Nothing is sent to the database.
   *
   * @throws InvalidOptionException if both columns have the same name, or if the dialect that was
   *     set does not accept a name
   */
  public R2dbcSequenceStore build() {
    if (nameColumn.equalsIgnoreCase(valueColumn)) {
      throw new InvalidOptionException(
          "valueColumn",
          valueColumn,
          "nameColumn",
          "the name column and the value column must differ, both were "
              + LogSafe.quote(nameColumn));
    }
    if (dialect != null) {
      dialect.quote(table);
      dialect.quoteColumn(nameColumn);
      dialect.quoteColumn(valueColumn);
    }
    return new R2dbcSequenceStore(this);
  }
}
