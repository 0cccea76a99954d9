package io.millrace.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HolderTest {

  @Test
  void theTextOfAHolderIsReadBack() {
    Holder holder = new Holder("shop", "web-7", "4711.2026-11-23T20:00:00Z");
    assertThat(holder).hasToString("shop@web-7/4711.2026-11-23T20:00:00Z");
    assertThat(Holder.parse(holder.toString())).isEqualTo(holder);
    Holder plain = new Holder("", "a@b", "x/y@z");
    assertThat(Holder.parse(plain.toString())).isEqualTo(plain);
    Holder slashed = new Holder("shop/", "web-7", "1");
    assertThat(Holder.parse(slashed.toString())).isEqualTo(slashed);
  }

  @Test
  void aForeignTextIsTheHost() {
    assertThat(Holder.parse("somebody")).isEqualTo(new Holder("", "somebody", ""));
    assertThat(Holder.parse("ünknown@x")).isEqualTo(new Holder("", "_nknown@x", ""));
  }

  @Test
  void thisProcessHasItsNumber() {
    Holder holder = Holder.ofThisProcess("shop");
    assertThat(holder.application()).isEqualTo("shop");
    assertThat(holder.process()).startsWith(ProcessHandle.current().pid() + ".");
    assertThat(holder.host()).isNotBlank();
    assertThat(Holder.parse(holder.toString())).isEqualTo(holder);
  }

  @Test
  void partsThatWouldBeReadOtherwiseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Holder("a@b", "h", "p"))
        .withMessageContaining("without '@'")
        .withMessageContaining("a@b");
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("@", "h", "p"));
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("a", "h/i", "p"));
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("a".repeat(101), "h", "p"));
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("a\n", "h", "p"));
  }

  @Test
  void theLongestPartsAreAccepted() {
    Holder longest = new Holder("~ ".repeat(50), "h".repeat(255), "p".repeat(100));
    assertThat(longest.toString()).hasSize(Holder.MAX_LENGTH);
    assertThat(Holder.parse(longest.toString())).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Holder("", "h".repeat(256), ""))
        .withMessageContaining("at most 255 characters without '/'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Holder("", "", "p".repeat(101)))
        .withMessageContaining("holder process");
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("", "", "\u007f"));
  }

  @Test
  void aRetentionIsWholeDays() {
    LedgerOptions options = LedgerOptions.table("ledger");
    assertThat(options.retention(Duration.ofDays(30)).retention()).isEqualTo(Duration.ofDays(30));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.retention(Duration.ofHours(36)))
        .withMessageContaining("PT36H");
    assertThatIllegalArgumentException().isThrownBy(() -> options.retention(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> options.retention(Duration.ofDays(-1)));
  }

  @Test
  void optionsKeepWhatWasSetBefore() {
    LedgerOptions options =
        LedgerOptions.table("ledger").bestEffort().retention(Duration.ofDays(1)).application("a");
    assertThat(options.table()).isEqualTo("ledger");
    assertThat(LedgerOptions.table("ledger").isBestEffort()).isFalse();
    assertThat(options.isBestEffort()).isTrue();
    assertThat(options.retention()).isEqualTo(Duration.ofDays(1));
    assertThat(options.holder()).isEqualTo(Holder.ofThisProcess("a"));
    Holder other = new Holder("b", "web-7", "1");
    assertThat(options.holder(other))
        .returns(other, LedgerOptions::holder)
        .returns("ledger", LedgerOptions::table)
        .returns(true, LedgerOptions::isBestEffort)
        .returns(Duration.ofDays(1), LedgerOptions::retention);
  }
}
