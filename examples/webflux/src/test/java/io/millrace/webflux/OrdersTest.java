package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.key.BitReversal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.FluxExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;

/** What the service answers, over each database. */
class OrdersTest {

  private static long number(Map<String, Object> invoice) {
    return ((Number) Objects.requireNonNull(invoice.get("number"))).longValue();
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private Service service;
    private WebTestClient client;

    @BeforeAll
    void start(R2dbcDatabase database) {
      service = Service.over(database);
      client = service.tester();
    }

    @AfterAll
    void stop() {
      service.close();
    }

    private Placed place(String customer, int quantity) {
      return Objects.requireNonNull(
          client
              .post()
              .uri("/orders")
              .bodyValue(Map.of("customer", customer, "item", "flour", "quantity", quantity))
              .exchange()
              .expectStatus()
              .isCreated()
              .expectBody(Placed.class)
              .returnResult()
              .getResponseBody());
    }

    @Test
    void placedOrderIsFoundAtItsLocation() {
      EntityExchangeResult<Placed> answer =
          client
              .post()
              .uri("/orders")
              .bodyValue(Map.of("customer", "Ann", "item", "flour", "quantity", 3))
              .exchange()
              .expectStatus()
              .isCreated()
              .expectBody(Placed.class)
              .returnResult();

      Placed placed = Objects.requireNonNull(answer.getResponseBody());
      assertThat(placed).isEqualTo(new Placed(placed.id(), "Ann", "flour", 3));
      assertThat(answer.getResponseHeaders().getLocation()).hasPath("/orders/" + placed.id());
      client
          .get()
          .uri(Objects.requireNonNull(answer.getResponseHeaders().getLocation()).getPath())
          .exchange()
          .expectStatus()
          .isOk()
          .expectBody(Placed.class)
          .isEqualTo(placed);
    }

    @Test
    void idsAreNumbersOfTheSequenceWithTheirBitsReversed() {
      long first = BitReversal.PRESERVING_SIGN.decode(place("Ann", 1).key());
      long second = BitReversal.PRESERVING_SIGN.decode(place("Ann", 1).key());

      assertThat(first).isBetween(1L, 10_000L);
      assertThat(second).isGreaterThan(first);
    }

    @Test
    void refusesFaultyOrderAndNamesItsFields() {
      client
          .post()
          .uri("/orders")
          .bodyValue(Map.of("customer", " ", "quantity", 0))
          .exchange()
          .expectStatus()
          .isBadRequest()
          .expectHeader()
          .contentType(MediaType.APPLICATION_PROBLEM_JSON)
          .expectBody()
          .jsonPath("$.status")
          .isEqualTo(400)
          .jsonPath("$.errors.keys()")
          .value(
              names ->
                  assertThat((Iterable<?>) names)
                      .map(Object::toString)
                      .containsExactlyInAnyOrder("customer", "item", "quantity"));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{\"customer\": \"Ann\", \"item\": \"flour\", \"quantity\": \"many\"}",
          "{\"customer\": \"Ann\", \"item\": ",
          "[]"
        })
    void refusesUnreadableBody(String body) {
      client
          .post()
          .uri("/orders")
          .contentType(MediaType.APPLICATION_JSON)
          .bodyValue(body)
          .exchange()
          .expectStatus()
          .isBadRequest()
          .expectHeader()
          .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }

    @ParameterizedTest
    @CsvSource({
      "/orders/42, NOT_FOUND",
      "/orders/many, BAD_REQUEST",
      "/orders?limit=0, BAD_REQUEST",
      "/orders?limit=10001, BAD_REQUEST",
      "/orders?after=-1, BAD_REQUEST"
    })
    void answersWrongRequestsWithProblemDetails(String path, HttpStatus status) {
      client
          .get()
          .uri(path)
          .exchange()
          .expectStatus()
          .isEqualTo(status)
          .expectHeader()
          .contentType(MediaType.APPLICATION_PROBLEM_JSON)
          .expectBody()
          .jsonPath("$.detail")
          .isNotEmpty();
    }

    private FluxExchangeResult<Map<String, Object>> issue(long order, Object cents) {
      return client
          .post()
          .uri("/invoices")
          .bodyValue(Map.of("order", String.valueOf(order), "cents", cents))
          .exchange()
          .returnResult(new ParameterizedTypeReference<Map<String, Object>>() {});
    }

    private static Map<String, Object> body(FluxExchangeResult<Map<String, Object>> answer) {
      return Objects.requireNonNull(answer.getResponseBody().blockFirst(Service.PATIENCE));
    }

    @Test
    void numbersInvoicesOfConcurrentRequestsWithoutGaps() {
      int invoices = 40;
      List<Map<String, Object>> issued =
          Objects.requireNonNull(
              Flux.range(1, invoices)
                  .flatMap(
                      order ->
                          service
                              .client()
                              .post()
                              .uri("/invoices")
                              .bodyValue(Map.of("order", order, "cents", 100 + order))
                              .retrieve()
                              .bodyToMono(new ParameterizedTypeReference<Map<String, Object>>() {}),
                      16)
                  .collectList()
                  .block(Service.PATIENCE));
      List<Long> numbers = issued.stream().map(OrdersTest::number).sorted().toList();
      long first = numbers.get(0);
      assertThat(numbers)
          .containsExactlyElementsOf(LongStream.range(first, first + invoices).boxed().toList());
      Map<String, Object> found =
          Objects.requireNonNull(
              service
                  .client()
                  .get()
                  .uri("/invoices/7")
                  .retrieve()
                  .bodyToMono(new ParameterizedTypeReference<Map<String, Object>>() {})
                  .block(Service.PATIENCE));
      assertThat(issued.stream().filter(invoice -> "7".equals(invoice.get("order"))))
          .containsExactly(found);
    }

    @Test
    void refusesSecondInvoiceOfAnOrderWithoutUsingANumber() {
      FluxExchangeResult<Map<String, Object>> first = issue(1_001, 500);
      assertThat(first.getStatus()).isEqualTo(HttpStatus.CREATED);
      assertThat(first.getResponseHeaders().getLocation()).hasPath("/invoices/1001");
      long number = number(body(first));

      FluxExchangeResult<Map<String, Object>> second = issue(1_001, 500);
      assertThat(second.getStatus()).isEqualTo(HttpStatus.CONFLICT);
      assertThat(body(second)).containsEntry("detail", "it is stored already");
      assertThat(body(issue(1_002, 500))).containsEntry("number", (int) number + 1);
    }

    @Test
    void refusesFaultyInvoiceAndDoesNotFindMissingOne() {
      assertThat(issue(1_003, 0).getStatus()).isEqualTo(HttpStatus.BAD_REQUEST);
      client.get().uri("/invoices/1003").exchange().expectStatus().isNotFound();
    }

    @Test
    void recordsMetersOfInvoices() {
      issue(1_004, 500);
      client
          .get()
          .uri("/actuator/metrics/millrace.writer.rows?tag=writer:invoices&tag=outcome:committed")
          .exchange()
          .expectStatus()
          .isOk()
          .expectBody()
          .jsonPath("$.measurements[0].value")
          .value(Double.class, rows -> assertThat(rows).isPositive());
    }

    private List<Placed> page(long after, int limit) {
      return Objects.requireNonNull(
          client
              .get()
              .uri("/orders?after={after}&limit={limit}", after, limit)
              .exchange()
              .expectStatus()
              .isOk()
              .expectHeader()
              .contentType(MediaType.APPLICATION_NDJSON)
              .expectBodyList(Placed.class)
              .returnResult()
              .getResponseBody());
    }

    @Test
    void pagesFollowEachOtherInTheOrderOfTheIds() {
      List<Placed> placed = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        placed.add(place("Bob", i + 1));
      }

      List<Placed> read = new ArrayList<>();
      List<Placed> page;
      long after = 0;
      do {
        page = page(after, 5);
        assertThat(page).hasSizeLessThanOrEqualTo(5);
        read.addAll(page);
        after = page.isEmpty() ? after : page.get(page.size() - 1).key();
      } while (page.size() == 5);

      assertThat(read).extracting(Placed::key).isSorted().doesNotHaveDuplicates();
      assertThat(read).containsAll(placed);
    }

    /** Whether the database stores it, or refuses it, is its own affair. */
    @Test
    void answersCharacterThatDatabaseCannotStore() {
      FluxExchangeResult<String> answer =
          client
              .post()
              .uri("/orders")
              .contentType(MediaType.APPLICATION_JSON)
              .bodyValue("{\"customer\": \"a\\u0000b\", \"item\": \"flour\", \"quantity\": 1}")
              .exchange()
              .returnResult(String.class);

      assertThat(answer.getStatus().value()).isIn(201, 400);
      if (answer.getStatus().value() == 400) {
        assertThat(answer.getResponseBody().blockFirst()).contains("the database refuses a value");
      }
    }

    @Test
    void orderThatDatabaseRefusesIsABadRequestAndARejectedLine() {
      service
          .bean(DatabaseClient.class)
          .sql("ALTER TABLE orders ADD CONSTRAINT not_so_many CHECK (quantity <> 999)")
          .then()
          .block(Service.PATIENCE);

      client
          .post()
          .uri("/orders")
          .bodyValue(Map.of("customer", "Ann", "item", "flour", "quantity", 999))
          .exchange()
          .expectStatus()
          .isBadRequest()
          .expectHeader()
          .contentType(MediaType.APPLICATION_PROBLEM_JSON)
          .expectBody()
          .jsonPath("$.detail")
          .value(
              String.class, detail -> assertThat(detail).isEqualTo("the database refuses a value"));
      place("Ann", 998);
      assertThat(importAll("{\"customer\": \"Eve\", \"item\": \"oats\", \"quantity\": 999}"))
          .extracting(ImportResult::status)
          .containsExactly(ImportResult.Status.REJECTED);
    }

    private List<ImportResult> importAll(String lines) {
      return Objects.requireNonNull(
          client
              .post()
              .uri("/orders/import")
              .contentType(MediaType.APPLICATION_NDJSON)
              .bodyValue(lines)
              .exchange()
              .expectStatus()
              .isOk()
              .expectHeader()
              .contentType(MediaType.APPLICATION_NDJSON)
              .expectBodyList(ImportResult.class)
              .returnResult()
              .getResponseBody());
    }

    @Test
    void importAnswersEachLineAndRejectsFaultyOnes() {
      List<ImportResult> results =
          importAll(
              """
              {"customer": "Cid", "item": "oats", "quantity": 1}
              {"customer": "", "item": "oats", "quantity": 1001}
              {"customer": "Cid", "item": "rye", "quantity": 2}
              """);

      assertThat(results)
          .extracting(result -> result.line() + " " + result.status() + " " + result.reason())
          .containsExactlyInAnyOrder(
              "1 COMMITTED null",
              "2 REJECTED customer: must not be blank; quantity: must be less than or equal to 1000",
              "3 COMMITTED null");
      assertThat(page(0, 10_000))
          .filteredOn(order -> order.customer().equals("Cid"))
          .extracting(Placed::key)
          .containsExactlyInAnyOrderElementsOf(
              results.stream().map(ImportResult::id).filter(Objects::nonNull).toList());
    }

    @Test
    void importThatBreaksOffSaysSo() {
      assertThat(
              importAll(
                  "{\"customer\": \"Dee\", \"item\": \"oats\", \"quantity\": 1}\n".repeat(600)
                      + "{\"customer\":"))
          .extracting(ImportResult::status)
          .contains(ImportResult.Status.COMMITTED)
          .endsWith(ImportResult.Status.STOPPED);
    }

    @Test
    void showsHealthAndMeters() {
      place("Dan", 1);

      client
          .get()
          .uri("/actuator/health")
          .exchange()
          .expectStatus()
          .isOk()
          .expectBody()
          .jsonPath("$.status")
          .isEqualTo("UP")
          .jsonPath("$.components.r2dbc.status")
          .isEqualTo("UP");
      client
          .get()
          .uri("/actuator/metrics/millrace.sequence.issued?tag=sequence:order_id")
          .exchange()
          .expectStatus()
          .isOk()
          .expectBody()
          .jsonPath("$.measurements[0].value")
          .value(Double.class, issued -> assertThat(issued).isPositive());
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}
}
