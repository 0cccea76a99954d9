package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class R2dbcSequenceStoreBuilderTest {

  @Test
  void theBuilderRefusesLimitsThatCannotBe() {
    R2dbcSequenceStoreBuilder builder = R2dbcSequenceStore.builder(new SilentConnections());
    assertThatThrownBy(() -> builder.nameLength(0)).hasMessageContaining("was 0");
    assertThatThrownBy(() -> builder.table("a..b")).hasMessageContaining("'a..b'");
    assertThatThrownBy(() -> builder.nameColumn("a.b")).hasMessageContaining("'a.b'");
    assertThatThrownBy(() -> builder.valueColumn("")).hasMessageContaining("''");
    assertThatThrownBy(() -> builder.nameColumn("V").valueColumn("v").build())
        .hasMessageContaining("'V'");
  }

  private static final class SilentConnections implements ConnectionFactory {
    @Override
    public Mono<io.r2dbc.spi.Connection> create() {
      return Mono.never();
    }

    @Override
    public io.r2dbc.spi.ConnectionFactoryMetadata getMetadata() {
      return () -> "H2";
    }
  }
}
