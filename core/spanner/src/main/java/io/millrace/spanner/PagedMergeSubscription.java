package io.millrace.spanner;

import io.millrace.spanner.PagedMerge.Bounds;
import io.millrace.spanner.PagedMerge.Pages;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One subscriber to a {@link PagedMerge}.
 *
 * <p>Everything but the volatile fields and the queue of finishedReads belongs to {@link #drain},
 * which one thread at a time runs: the one that asks, cancels or brings a page. So nothing is read
 * before the first request. An element is emitted only while {@code missing} is 0, when {@code
 * heads} holds every source that can still give one: then the least head is the least of all.
 */
final class PagedMergeSubscription<T> extends DrainedSubscription<T> {

  private final Pages<T> pages;
  private final Bounds bounds;

  /** Ends of reads that the drain has not looked at. */
  private final Queue<Read> finishedReads = Queues.<Read>unboundedMultiproducer().get();

  /** The sources that have an element, least element first. */
  private final PriorityQueue<Source<T>> heads;

  /** The sources to read; one that runs out while it waits here comes to the front. */
  private final Deque<Source<T>> toRead = new ArrayDeque<>();

  private final Deque<Read> reading = new ArrayDeque<>();

  /** How many sources have no element, and have not ended. */
  private int missing;

  /** How many elements the limit leaves to emit. */
  private long remaining;

  /** Whether reads and elements are given up. */
  private boolean stopped;

  /** Whether the subscriber was given its last signal. */
  private boolean terminated;

  PagedMergeSubscription(
      CoreSubscriber<? super T> actual,
      Pages<T> pages,
      Comparator<? super T> order,
      Bounds bounds) {
    super(actual);
    this.pages = pages;
    this.bounds = bounds;
    this.remaining = bounds.limit();
    this.missing = bounds.sources();
    this.heads =
        new PriorityQueue<>(
            Comparator.<Source<T>, T>comparing(Source::head, order)
                .thenComparingInt(source -> source.index));
    for (int i = 0; i < bounds.sources(); i++) {
      toRead.add(new Source<>(i));
    }
  }

  @Override
  void pass() {
    takePages();
    if (cancelled) {
      stop();
    }
    if (!stopped) {
      emit();
      startReads();
    }
  }

  /**
   * Ends the stream with what the pages, the order or the subscriber threw. After that, the heads
   * are in no order.
   */
  @Override
  void endWith(Throwable thrown) {
    boolean alreadyTerminated = terminated;
    terminated = true;
    try {
      stop();
    } finally {
      if (alreadyTerminated || cancelled) {
        Signals.dropped(actual, thrown);
      } else {
        Signals.error(actual, thrown);
      }
    }
  }

  private void takePages() {
    for (Read read = finishedReads.poll(); read != null; read = finishedReads.poll()) {
      Throwable failure = read.failure;
      if (stopped || cancelled) {
        Operators.onDiscardMultiple(read.page, currentContext());
        if (failure != null) {
          Operators.onErrorDropped(failure, currentContext());
        }
        continue;
      }
      reading.remove(read);
      if (failure != null) {
        stop();
        terminated = true;
        actual.onError(failure);
      } else {
        take(read.source, read.page, read.size);
      }
    }
  }

  private void take(Source<T> source, List<T> page, int asked) {
    boolean wasMissing = source.elements.isEmpty();
    source.readQueued = false;
    source.ended = page.size() < asked;
    if (!page.isEmpty()) {
      source.elements.addAll(page);
      source.last = page.get(page.size() - 1);
    }
    if (wasMissing && (source.ended || !page.isEmpty())) {
      missing--;
      if (!page.isEmpty()) {
        heads.add(source);
      }
    }
  }

  private void emit() {
    long demand = requested();
    long emitted = 0;
    while (missing == 0 && emitted != demand && !cancelled) {
      Source<T> source = heads.poll();
      if (source == null) {
        break;
      }
      T element = source.elements.remove();
      remaining--;
      if (!source.elements.isEmpty()) {
        heads.add(source);
      } else if (!source.ended) {
        missing++;
      }
      queueIfLow(source);
      startReads();
      emitted++;
      actual.onNext(element);
      if (remaining == 0) {
        break;
      }
    }
    if (cancelled) {
      stop();
    } else if (remaining == 0 || (missing == 0 && heads.isEmpty())) {
      stop();
      actual.onComplete();
      terminated = true; // not before: what throws here has not taken the end
    } else if (emitted != 0) {
      produced(emitted);
    }
  }

  /** Queues a source to be read if little is left of it, and puts it first if nothing is. */
  private void queueIfLow(Source<T> source) {
    int left = source.elements.size();
    if (source.ended || left > bounds.pageSize() / 2) {
      return;
    }
    if (!source.readQueued) {
      source.readQueued = true;
      toRead.addLast(source);
    } else if (left == 0 && toRead.remove(source)) {
      toRead.addFirst(source);
    }
  }

  private void startReads() {
    while (!stopped && !cancelled && reading.size() < bounds.concurrency() && !toRead.isEmpty()) {
      Source<T> source = toRead.remove();
      long useful = remaining - source.elements.size();
      if (useful > 0) { // else what it has is all that the limit can need
        Read read = new Read(source, (int) Math.min(bounds.pageSize(), useful));
        reading.add(read);
        Mono.defer(() -> pages.read(source.index, source.last, read.size)).subscribe(read);
      }
    }
  }

  /** Ends all reads and lets go of all elements. */
  private void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    reading.forEach(this::cancel);
    reading.clear();
    toRead.clear();
    for (Source<T> source : heads) {
      Operators.onDiscardQueueWithClear(source.elements, currentContext(), null);
    }
    heads.clear();
  }

  private void cancel(Read read) {
    try {
      read.cancel();
    } catch (Throwable thrown) {
      Signals.dropped(actual, thrown);
    }
  }

  private Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PREFETCH) {
      return bounds.pageSize();
    }
    return super.scanUnsafe(key);
  }

  /** What is known of one source. */
  private static final class Source<T> {

    final int index;
    final Queue<T> elements = new ArrayDeque<>();

    /** The last element read, also when it was emitted. */
    @Nullable T last;

    /** Whether it is queued to be read, or being read. */
    boolean readQueued = true;

    /** Whether its last page was read. */
    boolean ended;

    Source(int index) {
      this.index = index;
    }

    T head() {
      return elements.element();
    }
  }

  /** The read of one page. */
  private final class Read extends BaseSubscriber<List<T>> {

    final Source<T> source;
    final int size;
    List<T> page = List.of();
    @Nullable Throwable failure;

    Read(Source<T> source, int size) {
      this.source = source;
      this.size = size;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    protected void hookOnNext(List<T> value) {
      page = value;
    }

    @Override
    protected void hookOnComplete() {
      end();
    }

    @Override
    protected void hookOnError(Throwable throwable) {
      failure = throwable;
      end();
    }

    private void end() {
      finishedReads.add(this);
      drain();
    }
  }
}
