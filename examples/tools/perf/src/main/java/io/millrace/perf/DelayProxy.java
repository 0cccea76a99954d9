package io.millrace.perf;

import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * A TCP proxy on the loopback interface that delays data by half a round trip in each direction. It
 * shifts the stream in time: chunks that arrive together leave together, and in order. If more than
 * 1,024 chunks are in flight in one direction, it slows the stream down.
 *
 * <p>Netty's flow control bounds the memory: a side that does not read stops the side that writes.
 * When one side closes its connection, the other's is closed too, after the same delay. A side that
 * closes only its writing half counts as closed, and receives nothing more. {@link #close} ends the
 * proxy and all connections.
 */
final class DelayProxy implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Chunks that may be in flight in one direction; with more, the stream slows down. */
  private static final int UNDER_WAY = 1_024;

  private record Delayed<T>(T signal, long due) {}

  private final Duration delay;
  private final Scheduler clock;
  private final LoopResources threads;
  private final TcpClient target;
  private final DisposableServer server;

  /** The connections of both sides, which are closed before their threads. */
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

  /** The transfers between two sides, and connections that are being opened. */
  private final Disposable.Composite carried = Disposables.composite();

  private final LongAdder bytes = new LongAdder();

  private DelayProxy(String host, int port, Duration delay, Scheduler clock) {
    this.delay = delay;
    this.clock = clock;
    this.threads = LoopResources.create("delay-proxy", 1, true);
    this.target =
        TcpClient.newConnection()
            .host(host)
            .port(port)
            .runOn(threads)
            .noProxy()
            .doOnConnected(connection -> connections.add(connection.channel()));
    try {
      this.server =
          TcpServer.create()
              .host("localhost")
              .port(0)
              .runOn(threads)
              .doOnConnection(this::carry)
              .bindNow(LIMIT);
    } catch (RuntimeException | Error e) {
      threads.dispose();
      clock.dispose();
      throw e;
    }
  }

  /** Starts a proxy in front of a server, which adds this time to each round trip. */
  static DelayProxy start(String host, int port, Duration roundTrip) {
    return start(
        host, port, roundTrip.dividedBy(2), Schedulers.newSingle("delay-proxy-clock", true));
  }

  /** Starts a proxy with a delay for one direction and the caller's clock, which it disposes. */
  static DelayProxy start(String host, int port, Duration delay, Scheduler clock) {
    return new DelayProxy(host, port, delay, clock);
  }

  /** Subscribes on its own: reactor-netty cancels a handler as soon as its connection closes. */
  private void carry(Connection client) {
    connections.add(client.channel());
    carried.add(
        target
            .connect()
            .flatMap(
                upstream ->
                    Mono.whenDelayError(
                        shifted(client.inbound(), upstream), shifted(upstream.inbound(), client)))
            .doFinally(signal -> client.dispose())
            .subscribe(done -> {}, failure -> {}));
  }

  /** Delays each chunk, and then the end, in order. */
  private Mono<Void> shifted(NettyInbound in, Connection out) {
    Flux<byte[]> late =
        in.receive()
            .asByteArray()
            .materialize() // delays the end like a chunk
            .map(signal -> new Delayed<>(signal, clock.now(TimeUnit.NANOSECONDS) + delay.toNanos()))
            .doOnNext(stamped -> count(stamped.signal()))
            .concatMap(this::whenDue, UNDER_WAY)
            .dematerialize();
    return out.outbound()
        .send(late.map(Unpooled::wrappedBuffer), each -> true)
        .then()
        .doFinally(signal -> out.dispose());
  }

  /** Counts a chunk that has its due time already: a test may then advance its virtual clock. */
  private void count(Signal<byte[]> signal) {
    byte[] chunk = signal.get();
    if (chunk != null) {
      bytes.add(chunk.length);
    }
  }

  private <T> Mono<T> whenDue(Delayed<T> late) {
    long left = Math.max(0, late.due() - clock.now(TimeUnit.NANOSECONDS));
    return Mono.delay(Duration.ofNanos(left), clock).thenReturn(late.signal());
  }

  /** The address to connect to instead of the server's: {@code host:port}. */
  String address() {
    return "localhost:" + port();
  }

  int port() {
    return server.port();
  }

  /** The number of bytes received from both sides so far. */
  long bytes() {
    return bytes.sum();
  }

  @Override
  public void close() {
    try {
      server.disposeNow(LIMIT);
    } finally {
      try {
        carried.dispose();
        connections.close().awaitUninterruptibly(LIMIT.toMillis());
        threads.disposeLater(Duration.ZERO, LIMIT).block(LIMIT);
      } finally {
        clock.dispose();
      }
    }
  }
}
