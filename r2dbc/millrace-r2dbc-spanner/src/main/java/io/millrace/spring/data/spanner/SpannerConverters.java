package io.millrace.spring.data.spanner;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;

/** Converters between types of Java and the types that Spanner's driver binds and decodes. */
final class SpannerConverters {

  /** All converters. Spring reads their types from their classes, so none can be a lambda. */
  static final List<Object> ALL =
      List.of(
          new InstantToTimestamp(),
          new OffsetDateTimeToTimestamp(),
          new ZonedDateTimeToTimestamp(),
          new LocalDateTimeToTimestamp(),
          new LocalDateToDate(),
          new BytesToByteArray(),
          new ByteBufferToByteArray(),
          new UuidToString(),
          new BigIntegerToBigDecimal(),
          new FloatToDouble(),
          new ShortToLong(),
          new ByteToLong(),
          new TimestampToInstant(),
          new TimestampToOffsetDateTime(),
          new TimestampToZonedDateTime(),
          new TimestampToLocalDateTime(),
          new DateToLocalDate(),
          new ByteArrayToBytes(),
          new ByteArrayToByteBuffer(),
          new StringToUuid(),
          new BigDecimalToBigInteger());

  private SpannerConverters() {}

  private static Timestamp timestamp(Instant instant) {
    return Timestamp.ofTimeSecondsAndNanos(instant.getEpochSecond(), instant.getNano());
  }

  private static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }

  @WritingConverter
  static final class InstantToTimestamp implements Converter<Instant, Timestamp> {
    @Override
    public Timestamp convert(Instant source) {
      return timestamp(source);
    }
  }

  @WritingConverter
  static final class OffsetDateTimeToTimestamp implements Converter<OffsetDateTime, Timestamp> {
    @Override
    public Timestamp convert(OffsetDateTime source) {
      return timestamp(source.toInstant());
    }
  }

  @WritingConverter
  static final class ZonedDateTimeToTimestamp implements Converter<ZonedDateTime, Timestamp> {
    @Override
    public Timestamp convert(ZonedDateTime source) {
      return timestamp(source.toInstant());
    }
  }

  @WritingConverter
  static final class LocalDateTimeToTimestamp implements Converter<LocalDateTime, Timestamp> {
    @Override
    public Timestamp convert(LocalDateTime source) {
      return timestamp(source.toInstant(ZoneOffset.UTC));
    }
  }

  @WritingConverter
  static final class LocalDateToDate implements Converter<LocalDate, Date> {
    @Override
    public Date convert(LocalDate source) {
      return Date.fromYearMonthDay(
          source.getYear(), source.getMonthValue(), source.getDayOfMonth());
    }
  }

  @WritingConverter
  static final class BytesToByteArray implements Converter<byte[], ByteArray> {
    @Override
    public ByteArray convert(byte[] source) {
      return ByteArray.copyFrom(source);
    }
  }

  @WritingConverter
  static final class ByteBufferToByteArray implements Converter<ByteBuffer, ByteArray> {
    @Override
    public ByteArray convert(ByteBuffer source) {
      return ByteArray.copyFrom(source.duplicate());
    }
  }

  @WritingConverter
  static final class UuidToString implements Converter<UUID, String> {
    @Override
    public String convert(UUID source) {
      return source.toString();
    }
  }

  @WritingConverter
  static final class BigIntegerToBigDecimal implements Converter<BigInteger, BigDecimal> {
    @Override
    public BigDecimal convert(BigInteger source) {
      return new BigDecimal(source);
    }
  }

  @WritingConverter
  static final class FloatToDouble implements Converter<Float, Double> {
    @Override
    public Double convert(Float source) {
      return source.doubleValue();
    }
  }

  @WritingConverter
  static final class ShortToLong implements Converter<Short, Long> {
    @Override
    public Long convert(Short source) {
      return source.longValue();
    }
  }

  @WritingConverter
  static final class ByteToLong implements Converter<Byte, Long> {
    @Override
    public Long convert(Byte source) {
      return source.longValue();
    }
  }

  @ReadingConverter
  static final class TimestampToInstant implements Converter<Timestamp, Instant> {
    @Override
    public Instant convert(Timestamp source) {
      return instant(source);
    }
  }

  @ReadingConverter
  static final class TimestampToOffsetDateTime implements Converter<Timestamp, OffsetDateTime> {
    @Override
    public OffsetDateTime convert(Timestamp source) {
      return instant(source).atOffset(ZoneOffset.UTC);
    }
  }

  @ReadingConverter
  static final class TimestampToZonedDateTime implements Converter<Timestamp, ZonedDateTime> {
    @Override
    public ZonedDateTime convert(Timestamp source) {
      return instant(source).atZone(ZoneOffset.UTC);
    }
  }

  @ReadingConverter
  static final class TimestampToLocalDateTime implements Converter<Timestamp, LocalDateTime> {
    @Override
    public LocalDateTime convert(Timestamp source) {
      return LocalDateTime.ofInstant(instant(source), ZoneOffset.UTC);
    }
  }

  @ReadingConverter
  static final class DateToLocalDate implements Converter<Date, LocalDate> {
    @Override
    public LocalDate convert(Date source) {
      return LocalDate.of(source.getYear(), source.getMonth(), source.getDayOfMonth());
    }
  }

  @ReadingConverter
  static final class ByteArrayToBytes implements Converter<ByteArray, byte[]> {
    @Override
    public byte[] convert(ByteArray source) {
      return source.toByteArray();
    }
  }

  @ReadingConverter
  static final class ByteArrayToByteBuffer implements Converter<ByteArray, ByteBuffer> {
    @Override
    public ByteBuffer convert(ByteArray source) {
      return ByteBuffer.wrap(source.toByteArray());
    }
  }

  @ReadingConverter
  static final class StringToUuid implements Converter<String, UUID> {
    @Override
    public UUID convert(String source) {
      return UUID.fromString(source);
    }
  }

  @ReadingConverter
  static final class BigDecimalToBigInteger implements Converter<BigDecimal, BigInteger> {
    @Override
    public BigInteger convert(BigDecimal source) {
      return source.toBigIntegerExact();
    }
  }
}
