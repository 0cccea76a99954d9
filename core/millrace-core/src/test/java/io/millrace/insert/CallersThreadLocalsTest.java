package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Tenants;
import io.millrace.TransactionalSequence;
import io.millrace.insert.spi.Numbering;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

/**
 * The functions that number rows within a shared transaction see no caller's ThreadLocals, so
 * nothing of one request gets into the row of another. The database answers on the thread that asks
 * it, the worst case.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class CallersThreadLocalsTest {

  private static final int CALLERS = 4;
  private static final int ROWS = 500;

  @Test
  void numberingSeesNoThreadLocalsOfCallers() throws Exception {
    verify(new Tenants());
  }

  /** With Reactor's automatic context propagation. */
  @Nested
  class WithPropagation {

    @RegisterExtension final Tenants tenants = new Tenants();

    @Test
    void numberingSeesNoThreadLocalsOfCallers() throws Exception {
      verify(tenants);
    }
  }

  private static final class Numbers implements TransactionalSequence<String> {

    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public Mono<List<Long>> next(String transaction, int count) {
      return Mono.just(LongStream.rangeClosed(1, count).boxed().toList());
    }
  }

  private static void verify(Tenants tenants) throws InterruptedException {
    Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    Numbering<Integer, String> numbering =
        Numbering.of(
            new Numbers(),
            (row, number) -> {
              seen.computeIfAbsent(tenants.current(), tenant -> new AtomicInteger())
                  .incrementAndGet();
              return row;
            });
    FunctionWriter database =
        new FunctionWriter(
            group ->
                numbering
                    .number(
                        numbering.in("tx"),
                        group,
                        (row, numbers) -> new HandWriter.Row(row),
                        1_000,
                        1_000)
                    .map(
                        rows ->
                            rows.stream().map(row -> HandWriter.committed(row.row())).toList()));
    RowWriter<Integer> writer =
        new TestInserts(database).concurrency(1).acquireTimeout(Duration.ofSeconds(60)).writer();
    CountDownLatch ended = new CountDownLatch(CALLERS);
    for (int i = 0; i < CALLERS; i++) {
      String tenant = "tenant " + i;
      new Thread(() -> writeNext(writer, tenants, tenant, ROWS, ended)).start();
    }
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    writer.disposeLater().block(Duration.ofSeconds(10));
    assertThat(seen).containsOnlyKeys("none");
    assertThat(seen.get("none")).hasValue(CALLERS * ROWS);
  }

  /** Each answer leads to the next row, on a thread that then has this caller's ThreadLocals. */
  private static void writeNext(
      RowWriter<Integer> writer, Tenants tenants, String tenant, int left, CountDownLatch ended) {
    tenants.enter(tenant);
    writer
        .write(left)
        .contextWrite(tenants.of(tenant))
        .subscribe(
            row -> {
              tenants.leave();
              if (left == 1) {
                ended.countDown();
              } else {
                writeNext(writer, tenants, tenant, left - 1, ended);
                tenants.leave();
              }
            });
  }
}
