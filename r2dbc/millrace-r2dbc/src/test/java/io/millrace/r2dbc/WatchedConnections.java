package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source of connections that keeps a log of what is asked of it, in order: {@code create}, {@code
 * begin}, each statement's text, {@code commit}, {@code rollback}, {@code close}. What happens at
 * one of them can be changed; an {@code INSERT} outside of a transaction counts as a {@code
 * commit}, too.
 */
final class WatchedConnections implements ConnectionFactory, Wrapped<ConnectionFactory> {

  private record Change(Predicate<String> event, UnaryOperator<Flux<Object>> around) {}

  private final ConnectionFactory factory;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<String> threads = new CopyOnWriteArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger closedTwice = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Change> change = new AtomicReference<>();
  private volatile @Nullable Boolean autoCommit;

  WatchedConnections(ConnectionFactory factory) {
    this.factory = factory;
  }

  /** Changes the next event of a kind; the operator gets what the driver would do. */
  WatchedConnections atNext(Predicate<String> event, UnaryOperator<Flux<Object>> around) {
    change.set(new Change(event, around));
    return this;
  }

  /** The next event of a kind fails, once it has taken effect. */
  WatchedConnections loseAnswer(Predicate<String> event, Throwable failure) {
    return loseAnswer(event, Mono.empty(), failure);
  }

  /** The same, and other work is done before the failure. A driver may run a statement lazily. */
  WatchedConnections loseAnswer(Predicate<String> event, Mono<?> meanwhile, Throwable failure) {
    return atNext(
        event,
        work ->
            work.concatMap(
                    answer ->
                        answer instanceof Result result ? result.getRowsUpdated() : Mono.empty())
                .thenMany(Mono.defer(() -> meanwhile))
                .thenMany(Mono.error(failure)));
  }

  /** The next event of a kind fails, without an effect. */
  WatchedConnections refuse(Predicate<String> event, Throwable failure) {
    return atNext(event, work -> Flux.error(failure));
  }

  /** Whether an event is a statement that inserts the rows of a group, and moves no counter. */
  static boolean isInsert(String event) {
    return event.startsWith("INSERT");
  }

  /** What connections say of autocommit from now on. */
  void sayAutoCommit(boolean answer) {
    autoCommit = answer;
  }

  List<String> log() {
    return List.copyOf(log);
  }

  /** The names of the threads that asked, event by event. */
  List<String> threads() {
    return List.copyOf(threads);
  }

  /** The statements among the events. */
  List<String> statements() {
    return log.stream().filter(event -> event.contains(" ")).toList();
  }

  /** How many commits were sent, with those of statements in autocommit that insert rows. */
  int commits() {
    return commits.get();
  }

  void clear() {
    commits.set(0);
    log.clear();
    threads.clear();
  }

  /** How many connections were made and not closed yet. */
  int open() {
    return open.get();
  }

  /** Waits until each connection is closed. */
  void awaitClosed() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(() -> assertThat(open).as("not closed").hasValue(0));
  }

  int closedTwice() {
    return closedTwice.get();
  }

  /** The events that the driver itself answered with an error, beside those changed here. */
  List<String> failed() {
    return List.copyOf(failed);
  }

  @Override
  public ConnectionFactory unwrap() {
    return factory;
  }

  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return factory.getMetadata();
  }

  @Override
  public Publisher<? extends Connection> create() {
    return Mono.defer(
        () ->
            at("create", Flux.from(factory.create()))
                .singleOrEmpty() // next() would cancel, and a pool would take the connection back
                .cast(Connection.class)
                .map(
                    connection -> {
                      open.incrementAndGet();
                      return watched(connection);
                    }));
  }

  private Flux<Object> at(String event, Flux<?> work) {
    return at(event, work, () -> event.equals("commit"));
  }

  /** An event when it is subscribed to. */
  private Flux<Object> at(String event, Flux<?> work, BooleanSupplier commits) {
    return Flux.defer(
        () -> {
          boolean isCommit = commits.getAsBoolean();
          if (isCommit) {
            this.commits.incrementAndGet();
          }
          log.add(event);
          threads.add(Thread.currentThread().getName());
          Change wanted = change.get();
          Flux<Object> usual = work.cast(Object.class).doOnError(error -> failed.add(event));
          return wanted != null
                  && (wanted.event().test(event) || (isCommit && wanted.event().test("commit")))
                  && change.compareAndSet(wanted, null)
              ? wanted.around().apply(usual)
              : usual;
        });
  }

  private Connection watched(Connection connection) {
    AtomicInteger closed = new AtomicInteger();
    AtomicBoolean inTransaction = new AtomicBoolean();
    return Proxies.of(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "beginTransaction" ->
                  at("begin", Flux.from(connection.beginTransaction()))
                      .doOnSubscribe(begun -> inTransaction.set(true));
              case "commitTransaction" ->
                  at("commit", Flux.from(connection.commitTransaction()))
                      .doOnTerminate(() -> inTransaction.set(false)); // before the next use
              case "rollbackTransaction" ->
                  at("rollback", Flux.from(connection.rollbackTransaction()))
                      .doOnTerminate(() -> inTransaction.set(false));
              case "close" ->
                  at(
                      "close",
                      Flux.defer(
                          () -> {
                            if (closed.incrementAndGet() == 1) {
                              open.decrementAndGet();
                            } else {
                              closedTwice.incrementAndGet();
                            }
                            return connection.close();
                          }));
              case "createStatement" ->
                  watched(
                      (String) arguments[0],
                      connection.createStatement((String) arguments[0]),
                      inTransaction);
              case "isAutoCommit" -> autoCommit == null ? connection.isAutoCommit() : autoCommit;
              default -> Proxies.call(connection, method, arguments);
            });
  }

  private Statement watched(String sql, Statement statement, AtomicBoolean inTransaction) {
    return Proxies.of(
        Statement.class,
        (self, method, arguments) -> {
          if (method.getName().equals("execute")) {
            return at(
                    sql,
                    Flux.from(statement.execute()),
                    () -> isInsert(sql) && !inTransaction.get())
                .cast(Result.class);
          }
          Object answer = Proxies.call(statement, method, arguments);
          return answer instanceof Statement ? self : answer;
        });
  }
}
