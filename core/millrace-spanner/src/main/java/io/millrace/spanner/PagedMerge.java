package io.millrace.spanner;

import io.millrace.internal.GuardedCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Merges sources that are sorted, and read page by page, into one sorted stream. Elements that
 * compare equal come in the order of their sources.
 *
 * <p>The merge goes in rounds. A round first reads a page of each source of which half a page or
 * less is left: in the first round of all, because any of them may hold the smallest element. Then
 * it takes the smallest elements until a source that has not ended runs out. When these are emitted
 * or wait for demand, the next round begins. So each source has at most two and a half pages in
 * memory or under way.
 *
 * <p>Each subscription has its own instance. One round at a time uses the fields, and within a
 * round one read the fields of its source.
 *
 * @param <T> the type of the elements
 */
final class PagedMerge<T> {

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

  private static final class Source<T> {

    final int index;
    final Queue<T> elements = new ArrayDeque<>();

    /** The last element read, even if it was taken. */
    @Nullable T last;

    /** Whether its last page was read. */
    boolean ended;

    /** Whether it is in {@code heads}. */
    boolean isHead;

    Source(int index) {
      this.index = index;
    }

    T head() {
      return elements.element();
    }
  }

  private final Pages<T> pages;
  private final Bounds bounds;

  /** The sources that have an element, smallest element first. Others are low, or have ended. */
  private final PriorityQueue<Source<T>> heads;

  /** The sources to read in the next round. */
  private Set<Source<T>> low = new LinkedHashSet<>();

  /** How many elements the limit leaves to take. */
  private long remaining;

  private PagedMerge(Pages<T> pages, Comparator<? super T> order, Bounds bounds) {
    this.pages = pages;
    this.bounds = bounds;
    this.remaining = bounds.limit();
    this.heads =
        new PriorityQueue<>(
            Comparator.<Source<T>, T>comparing(Source::head, order)
                .thenComparingInt(source -> source.index));
    for (int i = 0; i < bounds.sources(); i++) {
      low.add(new Source<>(i));
    }
  }

  /** The merged elements. If the subscriber throws, it receives that as its error. */
  static <T> Flux<T> of(Pages<T> pages, Comparator<? super T> order, Bounds bounds) {
    return GuardedCall.flux(
        () -> {
          PagedMerge<T> merge = new PagedMerge<>(pages, order, bounds);
          return Mono.defer(merge::round)
              .repeat(merge::hasMore)
              .concatMapIterable(elements -> elements, 1);
        });
  }

  private boolean hasMore() {
    return remaining > 0 && !(heads.isEmpty() && low.isEmpty());
  }

  private Mono<List<T>> round() {
    Set<Source<T>> reading = low;
    low = new LinkedHashSet<>();
    return Flux.fromIterable(reading)
        .filter(source -> source.elements.size() < remaining) // else the limit needs no more of it
        .flatMap(this::read, bounds.concurrency())
        .then(Mono.fromSupplier(() -> smallest(reading)));
  }

  private Mono<List<T>> read(Source<T> source) {
    int size = (int) Math.min(bounds.pageSize(), remaining - source.elements.size());
    return pages
        .read(source.index, source.last, size)
        .doOnNext(
            page -> {
              source.ended = page.size() < size;
              if (!page.isEmpty()) {
                source.elements.addAll(page);
                source.last = page.get(page.size() - 1);
              }
            });
  }

  /** Takes the smallest elements. No source is empty that has not ended. */
  private List<T> smallest(Set<Source<T>> read) {
    read.forEach(this::addToHeads);
    List<T> taken = new ArrayList<>();
    boolean isCertain = true;
    while (isCertain && remaining > 0 && !heads.isEmpty()) {
      Source<T> source = heads.remove();
      source.isHead = false;
      taken.add(source.elements.remove());
      remaining--;
      addToHeads(source);
      if (!source.ended && source.elements.size() <= bounds.pageSize() / 2) {
        low.add(source);
      }
      isCertain = source.ended || source.isHead;
    }
    return taken;
  }

  private void addToHeads(Source<T> source) {
    if (!source.isHead && !source.elements.isEmpty()) {
      source.isHead = true;
      heads.add(source);
    }
  }
}
