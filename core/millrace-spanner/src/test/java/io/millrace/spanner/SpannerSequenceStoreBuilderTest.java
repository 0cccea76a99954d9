package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.spanner.Dialect;
import org.junit.jupiter.api.Test;

class SpannerSequenceStoreBuilderTest {

  private SpannerSequenceStoreBuilder builder() {
    return SpannerSequenceStore.builder(Proxies.UNUSED);
  }

  @Test
  void theColumnsMustDiffer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().nameColumn("a").valueColumn("A").build())
        .withMessageContaining("'a'");
    assertThatIllegalArgumentException().isThrownBy(() -> builder().nameLength(0));
  }

  @Test
  void ddlIsTheGuidesTableWithQuotedNames() {
    assertThat(builder().build().createTableDdl(Dialect.GOOGLE_STANDARD_SQL))
        .isEqualTo(
            "CREATE TABLE `sequences` (`name` STRING(64) NOT NULL, `next_value` INT64 NOT NULL)"
                + " PRIMARY KEY (`name`)");
    assertThat(builder().table("s.t").build().createTableDdl(Dialect.POSTGRESQL))
        .isEqualTo(
            "CREATE TABLE \"s\".\"t\" (\"name\" varchar(64) NOT NULL, \"next_value\" bigint NOT"
                + " NULL, PRIMARY KEY (\"name\"))");
  }

  @Test
  void theStoreIsOrderedAndTakesValuesBackAndTellsItsTable() {
    SpannerSequenceStore store = builder().table("counters").nameLength(1).build();
    assertThat(store.isOrdered()).isTrue();
    assertThat(store.isReleasable()).isTrue();
    assertThat(store).hasToString("SpannerSequenceStore[counters]");
    assertThat(store.createTableDdl(Dialect.GOOGLE_STANDARD_SQL)).contains("STRING(1)");
  }

  @Test
  void aRequestsTagIsPrintableAndHasAtMostFiftyCharacters() {
    assertThat(SequenceTable.tag("a b\u00fc")).isEqualTo("sequence=a_b_");
    assertThat(SequenceTable.tag("x".repeat(41))).isEqualTo("sequence=" + "x".repeat(41));
    assertThat(SequenceTable.tag("x".repeat(42))).isEqualTo("sequence=" + "x".repeat(41));
  }
}
