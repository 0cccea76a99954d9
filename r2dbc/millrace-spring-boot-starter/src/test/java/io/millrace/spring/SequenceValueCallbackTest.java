package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.key.BitReversal;
import io.millrace.key.KeyFunction;
import io.millrace.test.InMemorySequenceStore;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Persistable;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How entities of each shape get their numbers. */
class SequenceValueCallbackTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("orders", 5);
  private final SequenceGenerator orders = SequenceGenerator.builder(store, "orders").build();
  private final Map<String, Sequence> sequences =
      Map.of("orders", orders, "absent", SequenceGenerator.builder(store, "absent").build());
  private final Map<String, KeyFunction<Long, Long>> keys =
      Map.of("negated", value -> -value, "nothing", value -> 0L);
  private final R2dbcMappingContext entities = new R2dbcMappingContext();
  private final SequenceValueCallback callback =
      new SequenceValueCallback(entities, sequences::get, keys::get);

  @BeforeEach
  void initialize() {
    entities.afterPropertiesSet();
  }

  @SuppressWarnings("unchecked")
  private <T> Mono<T> filling(T entity) {
    return (Mono<T>)
        Mono.from(callback.onBeforeConvert(entity, SqlIdentifier.unquoted("any_table")));
  }

  private <T> T filled(T entity) {
    return Objects.requireNonNull(filling(entity).block());
  }

  private long taken() {
    return orders.snapshot().issued();
  }

  record Boxed(@Id @SequenceValue("orders") @Nullable Long id, String name) {}

  record Primitive(@Id @SequenceValue("orders") long id, String name) {}

  @Test
  void copiesRecordWithItsNumber() {
    Boxed boxed = new Boxed(null, "a");

    assertThat(filled(boxed)).isEqualTo(new Boxed(5L, "a"));
    assertThat(filled(new Primitive(0, "b"))).isEqualTo(new Primitive(6, "b"));
    assertThat(boxed.id()).isNull();
  }

  static class Mutable {
    @Id
    @SequenceValue("orders")
    @Nullable Long id;

    @SequenceValue("orders")
    long number;
  }

  @Test
  void fillsMutableObject() {
    Mutable entity = new Mutable();

    assertThat(filled(entity)).isSameAs(entity);
    assertThat(entity.id).isEqualTo(5);
    assertThat(entity.number).isEqualTo(6);
  }

  static class Immutable {
    @Id
    @SequenceValue("orders")
    private final @Nullable Long id;

    private final String madeBy;

    Immutable(@Nullable Long id) {
      this(id, "constructor");
    }

    private Immutable(@Nullable Long id, String madeBy) {
      this.id = id;
      this.madeBy = madeBy;
    }

    Immutable withId(Long other) {
      return new Immutable(other, "wither");
    }
  }

  @Test
  void copiesObjectWithItsWither() {
    Immutable before = new Immutable(null);

    Immutable after = filled(before);

    assertThat(after.id).isEqualTo(5);
    assertThat(after.madeBy).isEqualTo("wither");
    assertThat(before.id).isNull();
  }

  static class OnParameter {
    @Id private final @Nullable Long id;

    OnParameter(@SequenceValue("orders") @Nullable Long id) {
      this.id = id;
    }
  }

  @Test
  void readsAnnotationOfAConstructorParameter() {
    assertThat(filled(new OnParameter(null)).id).isEqualTo(5);
  }

  record Keyed(
      @Id @SequenceValue(value = "orders", key = "bit-reversed") @Nullable Long id,
      @SequenceValue(value = "orders", key = "negated") long number) {}

  @Test
  void appliesKeyToTheValueOfTheSequence() {
    assertThat(filled(new Keyed(null, 0)))
        .isEqualTo(new Keyed(BitReversal.PRESERVING_SIGN.apply(5L), -6));
  }

  record Small(
      @Id @SequenceValue("orders") @Nullable Integer id, @SequenceValue("orders") int number) {}

  @Test
  void refusesValueThatAnIntegerCannotHold() {
    assertThat(filled(new Small(null, 0))).isEqualTo(new Small(5, 6));
    store.advanceTo("orders", Integer.MAX_VALUE - 1L).block();
    SequenceGenerator high = SequenceGenerator.builder(store, "orders").blockSize(1).build();
    SequenceValueCallback filling =
        new SequenceValueCallback(entities, (String name) -> high, keys::get);
    StepVerifier.create(filling.onBeforeConvert(new Small(null, 1), SqlIdentifier.unquoted("t")))
        .expectNext(new Small(Integer.MAX_VALUE - 1, 1))
        .verifyComplete();
    StepVerifier.create(filling.onBeforeConvert(new Small(null, 1), SqlIdentifier.unquoted("t")))
        .expectNext(new Small(Integer.MAX_VALUE, 1))
        .verifyComplete();
    StepVerifier.create(filling.onBeforeConvert(new Small(null, 1), SqlIdentifier.unquoted("t")))
        .verifyErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(SequenceValueException.class)
                    .hasMessageContainingAll(
                        "Small.id", "produced 2147483648", "at most 2147483647", "max-value"));
  }

  record Texts(
      @Id @SequenceValue("orders") @Nullable String id,
      @SequenceValue(value = "orders", format = "INV-{n:4}") String number) {}

  @Test
  void formatsText() {
    assertThat(filled(new Texts(null, ""))).isEqualTo(new Texts("5", "INV-0006"));
    assertThat(filled(new Texts(null, "kept"))).isEqualTo(new Texts("7", "kept"));
  }

  record Several(
      @Id @SequenceValue("orders") @Nullable Long id, @SequenceValue("orders") @Nullable Long no) {}

  @Test
  void keepsValueThatIsSet() {
    assertThat(filled(new Several(null, 77L))).isEqualTo(new Several(5L, 77L));
    assertThat(taken()).isEqualTo(1);
  }

  @Test
  void leavesEntityThatIsNotNew() {
    Several known = new Several(3L, null);

    assertThat(filled(known)).isSameAs(known);
    assertThat(taken()).isZero();
  }

  record Versioned(
      @Id @SequenceValue("orders") @Nullable Long id, @Version @Nullable Long version) {}

  record Told(@Id @SequenceValue("orders") @Nullable Long id, boolean isNew)
      implements Persistable<Long> {
    @Override
    public @Nullable Long getId() {
      return id;
    }
  }

  @Test
  void asksSpringDataWhatIsNew() {
    assertThat(filled(new Versioned(null, null)).id()).isEqualTo(5);
    assertThat(filled(new Versioned(null, 0L)).id()).isNull();
    assertThat(filled(new Told(null, false)).id()).isNull();
    assertThat(filled(new Told(null, true)).id()).isEqualTo(6);
    assertThat(filled(new Told(9L, true)).id()).isEqualTo(9);
  }

  record Plain(@Id @Nullable Long id) {}

  @Test
  void leavesEntityWithoutTheAnnotation() {
    Plain plain = new Plain(null);

    assertThat(filled(plain)).isSameAs(plain);
  }

  @Test
  void takesOneValueForEachSubscription() {
    Mono<Boxed> filling = filling(new Boxed(null, "a"));
    assertThat(taken()).isZero();
    assertThat(store.reservations()).isZero();

    StepVerifier.create(filling).expectNext(new Boxed(5L, "a")).verifyComplete();
    StepVerifier.create(filling).expectNext(new Boxed(6L, "a")).verifyComplete();
    assertThat(taken()).isEqualTo(2);
  }

  @Test
  void passesTheFailureOfTheSequenceOn() {
    orders.dispose();

    StepVerifier.create(filling(new Boxed(null, "a")))
        .verifyError(io.millrace.SequenceDisposedException.class);
  }

  static class HalfServed {
    @Id
    @SequenceValue("orders")
    @Nullable Long id;

    @SequenceValue("absent")
    long number;
  }

  @Test
  void setsNoNumberIfOneOfThemFails() {
    HalfServed entity = new HalfServed();

    StepVerifier.create(filling(entity)).verifyError(SequenceNotFoundException.class);

    assertThat(taken()).as("the first was there").isEqualTo(1);
    assertThat(entity.id).isNull();
    assertThat(entity.number).isZero();
    assertThat(entities.getRequiredPersistentEntity(HalfServed.class).isNew(entity)).isTrue();
  }

  record Inner(@SequenceValue("orders") @Nullable Long number) {}

  record Embedding(@Id @Nullable Long id, @Embedded.Nullable @Nullable Inner inner) {}

  record WrongType(@Id @SequenceValue("orders") @Nullable Short id) {}

  record Formatted(@Id @SequenceValue(value = "orders", format = "{n}") @Nullable Long id) {}

  record Dated(@Id @SequenceValue(value = "orders", format = "{yyyy}-{n}") @Nullable String id) {}

  record Numberless(@Id @SequenceValue(value = "orders", format = "INV") @Nullable String id) {}

  record UnknownSequence(@Id @SequenceValue("ordres") @Nullable Long id) {}

  record UnknownKey(@Id @SequenceValue(value = "orders", key = "bit_reversed") @Nullable Long id) {}

  static class CannotBeSet {
    @Id
    @SequenceValue("orders")
    final @Nullable Long id = null;
  }

  record SmallReversed(
      @Id @SequenceValue(value = "orders", key = "bit-reversed") @Nullable Integer id) {}

  record Zero(@Id @SequenceValue(value = "orders", key = "nothing") @Nullable Long id) {}

  private void refuses(Object entity, String... words) {
    assertThatThrownBy(() -> filled(entity))
        .isInstanceOf(SequenceValueException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void refusesAnnotationsThatCannotWork() {
    refuses(new Embedding(null, null), "Inner.number", "embedded");
    refuses(new WrongType(null), "WrongType.id", "int or String", "java.lang.Short");
    refuses(new Formatted(null), "Formatted.id", "a format requires a String");
    refuses(new Dated(null), "Dated.id", "must not contain {yyyy}", "no period");
    refuses(new Numberless(null), "Numberless.id", "must contain {n}", "was 'INV'");
    refuses(new UnknownSequence(null), "UnknownSequence.id", "\"ordres\"");
    refuses(new UnknownKey(null), "UnknownKey.id", "\"bit_reversed\"", "bit-reversed");
    refuses(new CannotBeSet(), "CannotBeSet.id", "cannot be set");
    refuses(new SmallReversed(null), "SmallReversed.id", "reversed bits", "Long");
    refuses(new Zero(null), "Zero.id", "produced 0 for 5");
  }

  @Test
  void reportsWhyThereIsNoSequence() {
    RuntimeException why = new IllegalArgumentException("names are a, b");
    SequenceValueCallback throwing =
        new SequenceValueCallback(
            entities,
            name -> {
              throw why;
            },
            keys::get);

    StepVerifier.create(
            throwing.onBeforeConvert(new Boxed(null, "a"), SqlIdentifier.unquoted("any_table")))
        .verifyErrorSatisfies(
            e -> assertThat(e).isInstanceOf(SequenceValueException.class).hasCause(why));
  }

  @Test
  void checksEntitiesKnownAtStart() {
    entities.setInitialEntitySet(Set.of(Boxed.class, Keyed.class, Plain.class));
    entities.initialize();
    callback.afterSingletonsInstantiated();
    assertThat(store.reservations()).isZero();

    entities.setInitialEntitySet(Set.of(UnknownSequence.class));
    entities.initialize();
    assertThatThrownBy(callback::afterSingletonsInstantiated)
        .isInstanceOf(SequenceValueException.class)
        .hasMessageContaining("\"ordres\"");
  }
}
