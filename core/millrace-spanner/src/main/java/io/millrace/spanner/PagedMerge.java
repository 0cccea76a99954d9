package io.millrace.spanner;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Merges sources that are sorted, and read page by page, into one sorted stream. Elements that
 * compare equal come in the order of their sources.
 *
 * <p>The first request reads the first page of every source, because any of them may hold the
 * smallest element. After that a source is read again when half a page of it is left. So each
 * source has at most one and a half pages in memory or under way. A page never asks for more
 * elements than the limit leaves to emit.
 *
 * @param <T> the type of the elements
 */
final class PagedMerge<T> extends Flux<T> {

  /** Where pages come from. */
  interface Pages<T> {

    /**
     * Reads the elements of a source that follow another one.
     *
     * @param source which source, from 0
     * @param last the element the page follows, or null for the source's first page
     * @param size how many elements, 1 or more
     * @return that many elements, or fewer if the source ends with them
     */
    Mono<List<T>> read(int source, @Nullable T last, int size);
  }

  /**
   * How much is read.
   *
   * @param sources how many sources there are
   * @param pageSize how many elements a page has at most
   * @param concurrency how many pages are read at a time, at most
   * @param limit how many elements are emitted at most, 1 or more
   */
  record Bounds(int sources, int pageSize, int concurrency, long limit) {}

  private final Pages<T> pages;
  private final Comparator<? super T> order;
  private final Bounds bounds;

  PagedMerge(Pages<T> pages, Comparator<? super T> order, Bounds bounds) {
    this.pages = Objects.requireNonNull(pages, "pages");
    this.order = Objects.requireNonNull(order, "order");
    this.bounds = Objects.requireNonNull(bounds, "bounds");
  }

  /** The operator as users get it, with their assembly hooks applied. */
  static <T> Flux<T> assembled(Pages<T> pages, Comparator<? super T> order, Bounds bounds) {
    return onAssembly(new PagedMerge<>(pages, order, bounds));
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    actual.onSubscribe(new PagedMergeSubscription<>(actual, pages, order, bounds));
  }
}
