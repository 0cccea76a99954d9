package invoices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = "spring.r2dbc.url=r2dbc:h2:mem:///t?options=CASE_INSENSITIVE_IDENTIFIERS=TRUE")
@AutoConfigureWebTestClient
abstract class InvoicingTest {

  @Autowired WebTestClient client;

  ResponseSpec put(String tenant, UUID request, String customer) {
    return client
        .put()
        .uri("/{tenant}/invoices/{request}?customer={customer}", tenant, request, customer)
        .exchange();
  }

  private String number(String tenant) {
    return put(tenant, UUID.randomUUID(), "Ada")
        .returnResult(Invoice.class)
        .getResponseBody()
        .blockFirst()
        .number();
  }

  @Test
  void eachTenantHasNumbersWithoutGaps() {
    assertThat(number("acme")).endsWith("-000001");
    put("acme", UUID.randomUUID(), "n".repeat(101)).expectStatus().isBadRequest();
    assertThat(number("acme")).endsWith("-000002");
    assertThat(number("umbrella")).endsWith("-000001");
  }

  @Test
  void aRequestThatIsSentAgainIsAConflict() {
    UUID request = UUID.randomUUID();
    put("zen", request, "Ada").expectStatus().isOk();
    put("zen", request, "Ada").expectStatus().isEqualTo(409);
  }
}
