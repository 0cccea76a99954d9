package io.millrace.internal;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A listing that is read page by page, one page ahead of the requests. */
public final class Pages {

  /** How many elements a page has; the last one has fewer. */
  public static final int SIZE = 1_000;

  private Pages() {}

  /**
   * Reads all pages.
   *
   * @param after reads the page behind an element; the first page behind null
   */
  public static <T> Flux<T> all(Function<? super @Nullable T, Mono<List<T>>> after) {
    return after
        .apply(null)
        .expand(page -> page.size() < SIZE ? Mono.empty() : after.apply(page.get(page.size() - 1)))
        .concatMapIterable(page -> page, 1);
  }
}
