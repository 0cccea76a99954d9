package io.millrace.admin;

import io.millrace.internal.ShownText;
import io.millrace.tools.ClientLog;
import io.millrace.tools.IndentedJson;
import io.millrace.tools.Version;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the commands with a database share. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class, sortOptions = false)
abstract class SequenceCommand implements Callable<Integer> {

  @Mixin DatabaseOptions database;

  @Option(names = "--json", description = "Prints JSON, for scripts.")
  boolean json;

  @Option(
      names = "--verbose",
      description = "Prints the stack trace of an error, and the log of the database client.")
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

  abstract Status run(Counters counters) throws Exception;

  @Override
  public final Integer call() throws Exception {
    ClientLog.hideUnless(verbose);
    check();
    try (Counters counters = database.open(defaultLedger())) {
      return run(counters).code();
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
    return all(request, each -> true);
  }

  private <T> List<T> all(Flux<T> request, Predicate<T> kept) {
    return Objects.requireNonNull(request.timeout(limit()).filter(kept).collectList().block());
  }

  private Duration limit() {
    return database.timeout();
  }

  List<Listed> listed(Counters counters) {
    return listed(counters, name -> true);
  }

  /** Those with such names. The rows of others are not kept. */
  List<Listed> listed(Counters counters, Predicate<String> names) {
    return Listed.of(
            all(counters.table().states(), state -> Listed.mayBeOf(state.name(), names)),
            all(counters.natives(), each -> names.test(each.name())))
        .stream()
        .filter(each -> names.test(each.name()))
        .toList();
  }

  Listed find(Counters counters, String name) {
    return listed(counters, name::equals).stream()
        .findFirst()
        .orElseThrow(() -> new RefusedException("there is no sequence " + ShownText.quote(name)));
  }
}
