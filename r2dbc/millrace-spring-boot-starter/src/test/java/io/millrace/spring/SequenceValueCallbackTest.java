package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceNotFoundException;
import io.millrace.key.BitReversal;
import io.millrace.key.KeyFunction;
import io.millrace.test.InMemorySequenceStore;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
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
  void aRecordIsCopiedWithItsNumber() {
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
  void aMutableObjectIsFilledItself() {
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
  void anObjectWithAWitherIsCopiedByIt() {
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

  static class OnGetter {
    @Id private @Nullable Long id;

    @SequenceValue("orders")
    public @Nullable Long getId() {
      return id;
    }

    public void setId(Long id) {
      this.id = id;
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @SequenceValue("orders")
  @interface OrderNumber {}

  record Composed(@Id @OrderNumber @Nullable Long id) {}

  @Test
  void theAnnotationMayStandOnAParameterAnAccessorOrAnotherAnnotation() {
    assertThat(filled(new OnParameter(null)).id).isEqualTo(5);
    assertThat(filled(new OnGetter()).id).isEqualTo(6);
    assertThat(filled(new Composed(null)).id()).isEqualTo(7);
  }

  record Keyed(
      @Id @SequenceValue(value = "orders", key = "bit-reversed") @Nullable Long id,
      @SequenceValue(value = "orders", key = "negated") long number) {}

  @Test
  void keysMakeThePropertysValueOfTheSequences() {
    assertThat(filled(new Keyed(null, 0)))
        .isEqualTo(new Keyed(BitReversal.PRESERVING_SIGN.apply(5L), -6));
  }

  record Small(
      @Id @SequenceValue("orders") @Nullable Integer id, @SequenceValue("orders") int number) {}

  @Test
  void aNumberMayBeAnIntegerAsLongAsItHoldsIt() {
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
  void aNumberMayBeTextInAFormat() {
    assertThat(filled(new Texts(null, ""))).isEqualTo(new Texts("5", "INV-0006"));
    assertThat(filled(new Texts(null, "kept"))).isEqualTo(new Texts("7", "kept"));
  }

  record Inner(@SequenceValue("orders") @Nullable Long number, @Nullable String note) {}

  record Embedding(@Id @Nullable Long id, @Embedded.Nullable @Nullable Inner inner) {}

  @Test
  void aPropertyOfAnEmbeddedObjectIsFilledUnlessThatIsNull() {
    assertThat(filled(new Embedding(null, new Inner(null, "a"))))
        .isEqualTo(new Embedding(null, new Inner(5L, "a")));
    assertThat(filled(new Embedding(null, null))).isEqualTo(new Embedding(null, null));
    assertThat(filled(new Embedding(1L, new Inner(null, "a"))).inner())
        .as("not new")
        .isEqualTo(new Inner(null, "a"));
    assertThat(taken()).isEqualTo(1);
  }

  record LineId(@Nullable String tenant, @SequenceValue("orders") int number) {}

  record Line(@Id @Embedded.Nullable @Nullable LineId id, String item) {}

  static class OwnId {
    @SequenceValue("orders")
    long number;
  }

  static class Owned {
    @Id @Embedded.Nullable @Nullable OwnId id;
  }

  @Test
  void aNumberInACompositeIdIsFilledAlsoIfSpringDataDoesNotCallTheEntityNew() {
    assertThat(filled(new Line(new LineId("acme", 0), "a")))
        .isEqualTo(new Line(new LineId("acme", 5), "a"));
    assertThat(filled(new Line(null, "a"))).isEqualTo(new Line(new LineId(null, 6), "a"));
    Line known = new Line(new LineId("acme", 5), "a");
    assertThat(filled(known)).isSameAs(known);
    Owned owned = new Owned();
    assertThat(filled(owned)).isSameAs(owned);
    assertThat(Objects.requireNonNull(owned.id).number).isEqualTo(7);
  }

  record VersionedLine(
      @Id @Embedded.Nullable @Nullable LineId id, @Version @Nullable Long version) {}

  record StoredLine(@Id @Embedded.Nullable @Nullable LineId key) implements Persistable<LineId> {
    @Override
    public @Nullable LineId getId() {
      return key;
    }

    @Override
    public boolean isNew() {
      return false;
    }
  }

  @Test
  void aCompositeIdOfAnEntityThatSaysItIsNotNewStaysAsItIs() {
    LineId zero = new LineId("acme", 0);
    assertThat(filled(new VersionedLine(zero, 3L)).id()).isEqualTo(zero);
    assertThat(filled(new StoredLine(zero)).key()).isEqualTo(zero);
    assertThat(filled(new VersionedLine(zero, null)).id()).isEqualTo(new LineId("acme", 5));
  }

  record OfSpringData(
      @Id @org.springframework.data.relational.core.mapping.Sequence("orders") @Nullable Long id) {}

  record OfSchema(
      @Id
          @org.springframework.data.relational.core.mapping.Sequence(
              sequence = "orders",
              schema = "shop")
          @Nullable Integer id) {}

  @Test
  void springDatasAnnotationIsFilledIfThatIsWanted() {
    SequenceValueCallback also =
        new SequenceValueCallback(
            entities,
            Map.<String, Sequence>of("orders", orders, "shop.orders", orders)::get,
            keys::get,
            true);
    assertThat(filled(new OfSpringData(null)).id()).as("by default").isNull();
    StepVerifier.create(also.onBeforeConvert(new OfSpringData(null), SqlIdentifier.unquoted("t")))
        .expectNext(new OfSpringData(5L))
        .verifyComplete();
    StepVerifier.create(also.onBeforeConvert(new OfSchema(null), SqlIdentifier.unquoted("t")))
        .expectNext(new OfSchema(6))
        .verifyComplete();
    SequenceValueCallback none =
        new SequenceValueCallback(entities, (String name) -> null, keys::get, true);
    StepVerifier.create(none.onBeforeConvert(new OfSpringData(null), SqlIdentifier.unquoted("t")))
        .verifyErrorSatisfies(
            e ->
                assertThat(e).hasMessageContainingAll("@Sequence of", "OfSpringData.id", "orders"));
  }

  record Several(
      @Id @SequenceValue("orders") @Nullable Long id, @SequenceValue("orders") @Nullable Long no) {}

  @Test
  void whatIsSetStaysAndCostsNoNumber() {
    assertThat(filled(new Several(null, 77L))).isEqualTo(new Several(5L, 77L));
    assertThat(taken()).isEqualTo(1);
  }

  @Test
  void anEntityThatIsNotNewStaysAsItIs() {
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
  void springDataSaysWhatIsNew() {
    assertThat(filled(new Versioned(null, null)).id()).isEqualTo(5);
    assertThat(filled(new Versioned(null, 0L)).id()).isNull();
    assertThat(filled(new Told(null, false)).id()).isNull();
    assertThat(filled(new Told(null, true)).id()).isEqualTo(6);
    assertThat(filled(new Told(9L, true)).id()).isEqualTo(9);
  }

  record Plain(@Id @Nullable Long id) {}

  @Test
  void entitiesWithoutTheAnnotationPass() {
    Plain plain = new Plain(null);

    assertThat(filled(plain)).isSameAs(plain);
  }

  @Test
  void nothingIsTakenBeforeSubscriptionAndOneForEachSubscription() {
    Mono<Boxed> filling = filling(new Boxed(null, "a"));
    assertThat(taken()).isZero();
    assertThat(store.reservations()).isZero();

    StepVerifier.create(filling).expectNext(new Boxed(5L, "a")).verifyComplete();
    StepVerifier.create(filling).expectNext(new Boxed(6L, "a")).verifyComplete();
    assertThat(taken()).isEqualTo(2);
  }

  @Test
  void aFailureOfTheSequenceIsThatOfTheSave() {
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
  void anEntityWhoseOtherNumberFailsKeepsNoneAndIsStillNew() {
    HalfServed entity = new HalfServed();

    StepVerifier.create(filling(entity)).verifyError(SequenceNotFoundException.class);

    assertThat(taken()).as("the first was there").isEqualTo(1);
    assertThat(entity.id).isNull();
    assertThat(entity.number).isZero();
    assertThat(entities.getRequiredPersistentEntity(HalfServed.class).isNew(entity)).isTrue();
  }

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

  private void refuses(Object entity, String property, String... words) {
    assertThatThrownBy(() -> filled(entity))
        .isInstanceOfSatisfying(
            SequenceValueException.class, e -> assertThat(e.property()).isEqualTo(property))
        .hasMessageContainingAll(words);
  }

  @Test
  void annotationsThatCannotWorkAreRefusedAndSayWhy() {
    refuses(new WrongType(null), "id", "WrongType.id", "int or String", "java.lang.Short");
    refuses(new Formatted(null), "id", "Formatted.id", "a format requires a String");
    refuses(new Dated(null), "id", "Dated.id", "must not contain {yyyy}", "no period");
    refuses(new Numberless(null), "id", "Numberless.id", "must contain {n}", "was 'INV'");
    refuses(new UnknownSequence(null), "id", "UnknownSequence.id", "\"ordres\"");
    refuses(new UnknownKey(null), "id", "UnknownKey.id", "\"bit_reversed\"", "bit-reversed");
    refuses(new CannotBeSet(), "id", "CannotBeSet.id", "cannot be set");
    refuses(new SmallReversed(null), "id", "SmallReversed.id", "reversed bits", "Long");
    refuses(new Zero(null), "id", "Zero.id", "produced 0 for 5");
  }

  @Test
  void aFinderThatThrowsSaysWhy() {
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
  void entitiesKnownAtStartUpAreChecked() {
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
