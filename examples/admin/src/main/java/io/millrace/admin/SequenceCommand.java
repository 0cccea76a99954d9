package io.millrace.admin;

import io.millrace.tools.IndentedJson;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the commands with a database share. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class SequenceCommand implements Callable<Integer> {

  @Mixin DatabaseOptions database;

  @Option(names = "--json", description = "Prints JSON, for scripts.")
  boolean json;

  @Option(names = "--verbose", description = "Prints the stack trace of an error.")
  boolean verbose;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  SequenceCommand() {}

  /** The ledger's table if none is named, or null for none. */
  @Nullable String defaultLedger() {
    return null;
  }

  /** Refuses wrong options, before anything is opened. */
  void check() {}

  abstract int run(Counters counters) throws Exception;

  @Override
  public final Integer call() throws Exception {
    check();
    try (Counters counters = database.open(defaultLedger())) {
      return run(counters);
    }
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints one form of the result. */
  void print(Object asJson, String text) {
    out().println(json ? IndentedJson.builder().build().writeValueAsString(asJson) : text);
    out().flush();
  }

  <T> T get(Mono<T> request) {
    return Objects.requireNonNull(request.timeout(limit()).block());
  }

  void done(Mono<Void> request) {
    request.timeout(limit()).block();
  }

  /** All elements. The limit is for each of them. */
  <T> List<T> all(Flux<T> request) {
    return Objects.requireNonNull(request.timeout(limit()).collectList().block());
  }

  private Duration limit() {
    return database.timeout();
  }

  List<Listed> listed(Counters counters) {
    return Listed.of(all(counters.states()), all(counters.natives()));
  }

  Listed find(Counters counters, String name) {
    return listed(counters).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new RefusedException("there is no sequence '" + name + "'"));
  }
}
