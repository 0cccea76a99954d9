package io.millrace.spring.data.spanner;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import java.util.Collection;
import java.util.Set;
import org.springframework.data.r2dbc.dialect.R2dbcDialect;
import org.springframework.data.relational.core.dialect.AbstractDialect;
import org.springframework.data.relational.core.dialect.ArrayColumns;
import org.springframework.data.relational.core.dialect.LimitClause;
import org.springframework.data.relational.core.dialect.LockClause;
import org.springframework.data.relational.core.dialect.OrderByNullPrecedence;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.data.relational.core.sql.IdentifierProcessing.LetterCasing;
import org.springframework.data.relational.core.sql.IdentifierProcessing.Quoting;
import org.springframework.data.relational.core.sql.LockOptions;
import org.springframework.data.relational.core.sql.render.UpsertRenderContext;
import org.springframework.r2dbc.core.binding.BindMarkersFactory;

/**
 * The Spring Data R2DBC dialects of Cloud Spanner for the driver {@code cloud-spanner-r2dbc}, one
 * for GoogleSQL and one for PostgreSQL. Spring Data detects the dialect; specify it only to
 * configure Spring Data manually.
 *
 * <p>These property types are converted to column types; the driver binds all others itself:
 *
 * <ul>
 *   <li>{@code TIMESTAMP}: {@code Instant}, {@code OffsetDateTime}, {@code ZonedDateTime}, {@code
 *       LocalDateTime} (in UTC)
 *   <li>{@code DATE}: {@code LocalDate}
 *   <li>{@code STRING(36)}: {@code UUID}
 *   <li>{@code BYTES}: {@code byte[]}, {@code ByteBuffer}
 *   <li>{@code NUMERIC}: {@code BigInteger}
 *   <li>{@code FLOAT64}: {@code Float}
 *   <li>{@code INT64}: {@code Short}, {@code Byte}
 * </ul>
 */
public final class SpannerDialect extends AbstractDialect implements R2dbcDialect {

  /** The dialect of GoogleSQL databases: {@code @p0} and {@code `name`}. */
  public static final SpannerDialect GOOGLE_SQL =
      new SpannerDialect(
          SpannerSql.GOOGLE_SQL, IdentifierProcessing.create(new Quoting("`"), LetterCasing.AS_IS));

  /** The dialect of PostgreSQL-dialect databases: {@code $1} and {@code "name"}. */
  public static final SpannerDialect POSTGRESQL =
      new SpannerDialect(
          SpannerSql.POSTGRESQL,
          IdentifierProcessing.create(Quoting.ANSI, LetterCasing.LOWER_CASE));

  private final SpannerSql language;
  private final IdentifierProcessing identifiers;

  private SpannerDialect(SpannerSql language, IdentifierProcessing identifiers) {
    this.language = language;
    this.identifiers = identifiers;
  }

  static SpannerDialect of(SpannerSql language) {
    return language == SpannerSql.POSTGRESQL ? POSTGRESQL : GOOGLE_SQL;
  }

  @Override
  public String getName() {
    return toString();
  }

  @Override
  public BindMarkersFactory getBindMarkersFactory() {
    return language.bindMarkers();
  }

  @Override
  public IdentifierProcessing getIdentifierProcessing() {
    return identifiers;
  }

  @Override
  public Set<Class<?>> simpleTypes() {
    return Set.of(Timestamp.class, Date.class, ByteArray.class);
  }

  @Override
  public Collection<Object> getConverters() {
    return SpannerConverters.ALL;
  }

  @Override
  public ArrayColumns getArraySupport() {
    return SpannerArrays.INSTANCE;
  }

  /** Only PostgreSQL supports {@code NULLS FIRST}; in GoogleSQL, null is the smallest value. */
  @Override
  public OrderByNullPrecedence orderByNullHandling() {
    return language == SpannerSql.POSTGRESQL
        ? OrderByNullPrecedence.SQL_STANDARD
        : OrderByNullPrecedence.NONE;
  }

  @Override
  public LimitClause limit() {
    return Limit.INSTANCE;
  }

  /** Returns no lock clause: a read-write transaction locks what it reads. */
  @Override
  public LockClause lock() {
    return NoLock.INSTANCE;
  }

  @Override
  public UpsertRenderContext getUpsertRenderContext() {
    return () -> false;
  }

  @Override
  public String toString() {
    return "Spanner " + language;
  }

  private enum Limit implements LimitClause {
    INSTANCE;

    @Override
    public String getLimit(long limit) {
      return "LIMIT " + limit;
    }

    /** GoogleSQL has no offset without a limit. */
    @Override
    public String getOffset(long offset) {
      return getLimitOffset(Long.MAX_VALUE, offset);
    }

    @Override
    public String getLimitOffset(long limit, long offset) {
      return "LIMIT " + limit + " OFFSET " + offset;
    }

    @Override
    public Position getClausePosition() {
      return Position.AFTER_ORDER_BY;
    }
  }

  private enum NoLock implements LockClause {
    INSTANCE;

    @Override
    public String getLock(LockOptions options) {
      return "";
    }

    @Override
    public Position getClausePosition() {
      return Position.AFTER_ORDER_BY;
    }
  }
}
