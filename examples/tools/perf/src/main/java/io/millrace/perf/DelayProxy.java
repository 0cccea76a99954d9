package io.millrace.perf;

import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback interface that delays data by half a round trip in each direction. It
 * shifts the stream in time: chunks that arrive together leave together, and in order. When one
 * side closes its connection, the other's is closed after the same delay.
 */
final class DelayProxy implements AutoCloseable {

  private static final int LARGEST_CHUNK = 65_536;

  /** Connections that may wait to be accepted. */
  private static final int WAITING = 500;

  /** Chunks that may be in flight in one direction; with more, the stream slows down. */
  private static final int IN_FLIGHT = 1_024;

  /** Data with the time at which it leaves; no data at the end of the stream. */
  private record Chunk(byte[] data, long due) {}

  private final HostAndPort target;
  private final long delayNanos;
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /**
   * Starts a proxy in front of a server.
   *
   * @param address {@code host:port} of the server
   * @param roundTrip what the proxy adds to each round trip
   */
  DelayProxy(String address, Duration roundTrip) {
    this.target = HostAndPort.fromString(address);
    this.delayNanos = roundTrip.toNanos() / 2;
    try {
      this.server = new ServerSocket(0, WAITING, InetAddress.getByName("localhost"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "delay-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      Socket client = null;
      try {
        client = opened(server.accept());
        Socket upstream = opened(new Socket(target.getHost(), target.getPort()));
        shift(client, upstream);
        shift(upstream, client);
      } catch (IOException e) { // the server is away, or the proxy closed
        close(client);
      }
    }
  }

  private Socket opened(Socket socket) throws IOException {
    sockets.add(socket);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private void shift(Socket from, Socket to) {
    BlockingQueue<Chunk> late = new LinkedBlockingQueue<>(IN_FLIGHT);
    start(() -> read(from, late));
    start(() -> write(late, to));
  }

  private void read(Socket from, BlockingQueue<Chunk> late) {
    byte[] buffer = new byte[LARGEST_CHUNK];
    try {
      int count = 1;
      while (count > 0) {
        count = read(from, buffer);
        late.put(new Chunk(Arrays.copyOf(buffer, count), System.nanoTime() + delayNanos));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads some bytes; 0 at the end of the stream, or when it is broken. */
  private static int read(Socket from, byte[] buffer) {
    try {
      InputStream input = from.getInputStream();
      return Math.max(0, input.read(buffer));
    } catch (IOException e) {
      return 0;
    }
  }

  private void write(BlockingQueue<Chunk> late, Socket to) {
    try {
      for (Chunk next = late.take(); next.data().length > 0; next = late.take()) {
        TimeUnit.NANOSECONDS.sleep(next.due() - System.nanoTime());
        to.getOutputStream().write(next.data());
      }
      TimeUnit.NANOSECONDS.sleep(delayNanos);
    } catch (IOException e) {
      // closed by the receiver
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(to);
    }
  }

  private void close(@Nullable Socket socket) {
    if (socket == null) {
      return;
    }
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the proxy and its connections. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sockets.forEach(this::close);
  }
}
