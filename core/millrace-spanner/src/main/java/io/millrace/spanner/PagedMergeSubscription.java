package io.millrace.spanner;

import io.millrace.internal.GuardedCall;
import io.millrace.spanner.PagedMerge.Bounds;
import io.millrace.spanner.PagedMerge.Pages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
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
 * <p>Only the drain loop uses the fields, except for the volatile ones and {@code finishedReads}.
 * One thread at a time runs the loop: one that requests, cancels or delivers a page. So nothing is
 * read before the first request. An element is emitted only while {@code missing} is 0. Then {@code
 * heads} holds every source that can still give an element, so the smallest head is the smallest
 * element of all.
 */
final class PagedMergeSubscription<T> extends DrainedSubscription<T> {

  private final Pages<T> pages;
  private final Bounds bounds;

  /** Reads that have ended and that the drain loop has not processed. */
  private final Queue<Read> finishedReads = Queues.<Read>unboundedMultiproducer().get();

  /** All of them, also one that {@code heads} lost because the order has thrown. */
  private final List<Source<T>> sources = new ArrayList<>();

  /** The sources that have an element, smallest element first. */
  private final PriorityQueue<Source<T>> heads;

  /**
   * The sources to read. A source that runs out of elements while it waits here moves to the front.
   */
  private final Deque<Source<T>> toRead = new ArrayDeque<>();

  private final Deque<Read> reading = new ArrayDeque<>();

  /** How many sources have no element, and have not ended. */
  private int missing;

  /** How many elements the limit leaves to emit. */
  private long remaining;

  /** Whether the reads are cancelled and the elements discarded. */
  private boolean stopped;

  /** Whether the subscriber has its terminal signal. */
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
      sources.add(new Source<>(i));
    }
    toRead.addAll(sources);
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
   * Ends the stream with what the pages, the order or the subscriber have thrown. The heads may be
   * out of order or incomplete after that, and are not used any more.
   */
  @Override
  void endWith(Throwable thrown) {
    boolean alreadyTerminated = terminated;
    terminated = true;
    try {
      stop();
    } finally {
      if (alreadyTerminated || cancelled) {
        drop(thrown);
      } else {
        GuardedCall.error(actual, thrown);
      }
    }
  }

  /** After the end only errors are taken; pages are discarded when their reads are cancelled. */
  private void takePages() {
    for (Read read = finishedReads.poll(); read != null; read = finishedReads.poll()) {
      Throwable failure = read.failure;
      if (stopped || cancelled) {
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
        take(read.source, read.takePage(), read.size);
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
      try {
        moveOn(source);
      } catch (Throwable thrown) {
        Operators.onDiscard(element, currentContext());
        throw thrown;
      }
      emitted++;
      actual.onNext(element);
      if (remaining == 0) {
        break;
      }
    }
    if (cancelled) {
      return; // the pass that follows each cancel stops
    }
    if (remaining == 0 || (missing == 0 && heads.isEmpty())) {
      stop();
      actual.onComplete();
      terminated = true; // set afterwards: if onComplete throws, the subscriber still gets an error
    } else if (emitted != 0) {
      produced(emitted);
    }
  }

  /** Prepares the next element of a source of which one is about to be emitted. */
  private void moveOn(Source<T> source) {
    remaining--;
    if (!source.elements.isEmpty()) {
      heads.add(source);
    } else if (!source.ended) {
      missing++;
    }
    queueIfLow(source);
    startReads();
  }

  /**
   * Queues a source to be read if half a page or less is left of it. If nothing is left, a source
   * that waits already moves to the front.
   */
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
      if (useful > 0) { // else its elements are enough to reach the limit
        Read read = new Read(source, (int) Math.min(bounds.pageSize(), useful));
        reading.add(read);
        Mono.defer(() -> pages.read(source.index, source.last, read.size)).subscribe(read);
      }
    }
  }

  /** Cancels all reads and discards all elements. */
  private void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    reading.forEach(this::cancel);
    reading.clear();
    toRead.clear();
    for (Source<T> source : sources) {
      Operators.onDiscardQueueWithClear(source.elements, currentContext(), null);
    }
    heads.clear();
  }

  private void cancel(Read read) {
    GuardedCall.run(read::cancel, this::drop);
    read.discardPage(); // a read that is cancelled after its page came does not end
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

  /** The state of one source. */
  private static final class Source<T> {

    final int index;
    final Queue<T> elements = new ArrayDeque<>();

    /** The last element read, even if it was emitted. */
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
    @Nullable Throwable failure;

    /** Set when the page comes; empty again once a thread has taken or discarded it. */
    private final AtomicReference<List<T>> page = new AtomicReference<>(List.of());

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
      page.set(value);
      if (isDisposed()) { // perhaps before the page was set; then the cancel did not discard it
        discardPage();
      }
    }

    List<T> takePage() {
      return page.getAndSet(List.of());
    }

    void discardPage() {
      Operators.onDiscardMultiple(takePage(), currentContext());
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
