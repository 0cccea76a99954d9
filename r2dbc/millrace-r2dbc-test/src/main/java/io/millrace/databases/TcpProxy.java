package io.millrace.databases;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Forwards connections to a server, over a network that can be made to fail: it is {@linkplain
 * #cut() cut}, {@linkplain #fallSilent() falls silent}, becomes slow ({@link #delay}, {@link
 * #drip}), {@linkplain #loseAnswerTo loses an answer}, or {@linkplain #leadTo leads} to another
 * server. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

  private static final int BUFFER = 8_192;

  private enum Network {
    UP,
    CUT,
    SILENT
  }

  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Those of the sockets that a client made. */
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

  private final AtomicInteger accepted = new AtomicInteger();

  /** How often the network fell silent; connections of an earlier count stay silent. */
  private final AtomicInteger silences = new AtomicInteger();

  /** Texts of requests whose answers will be lost, in this order. */
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

  private volatile HostAndPort target;
  private volatile Network network = Network.UP;
  private volatile Pace pace = Pace.FULL;

  /**
   * Starts a proxy on a free port of the loopback interface.
   *
   * @param hostAndPort the server, as {@code host:port}
   */
  public TcpProxy(String hostAndPort) {
    target = HostAndPort.fromString(hostAndPort);
    try {
      server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("accept", this::accept);
  }

  /**
   * Returns the port that the proxy listens on.
   *
   * @return a port of the loopback interface
   */
  public int port() {
    return server.getLocalPort();
  }

  /** Returns the number of connections accepted so far. */
  public int accepted() {
    return accepted.get();
  }

  /**
   * Returns the number of open client connections.
   *
   * @return the number of connections that neither side has closed
   */
  public int open() {
    return clients.size();
  }

  /**
   * Forwards new connections to another server. Open connections are not affected.
   *
   * @param hostAndPort the other server, as {@code host:port}
   */
  public void leadTo(String hostAndPort) {
    target = HostAndPort.fromString(hostAndPort);
  }

  /**
   * Drops the server's answer to the next request that contains a text, and everything that it
   * sends on that connection afterwards. The request reaches the server. If called several times,
   * the texts apply one after another.
   *
   * @param text a part of the request, within one packet
   */
  public void loseAnswerTo(String text) {
    unanswered.add(text);
  }

  /**
   * Returns the number of texts passed to {@link #loseAnswerTo} that no request has matched yet.
   */
  public int answersToLose() {
    return unanswered.size();
  }

  /** Breaks all connections, and new ones as soon as they are accepted. */
  public void cut() {
    network = Network.CUT;
    sockets.forEach(TcpProxy::close);
  }

  /**
   * Drops every byte in both directions without an error: connections stay open, and new ones are
   * accepted. They stay silent forever, even after {@link #mend()}.
   */
  public void fallSilent() {
    silences.incrementAndGet();
    network = Network.SILENT;
  }

  /**
   * Delays data in each direction, in order, until {@link #mend()}. Applies to open connections as
   * well.
   *
   * @param latency the minimum delay, 0 or more
   * @param jitter the maximum random addition to the delay, 0 or more
   * @throws IllegalArgumentException if a time is negative
   */
  public void delay(Duration latency, Duration jitter) {
    pace = new Pace(BUFFER, nanos("latency", latency), nanos("jitter", jitter));
  }

  /**
   * Forwards a few bytes at a time in each direction, with a pause before each piece, until {@link
   * #mend()}. Applies to open connections as well.
   *
   * @param bytes the maximum size of a piece, at least 1
   * @param wait the pause before each piece, 0 or more
   * @throws IllegalArgumentException if a number is out of range
   */
  public void drip(int bytes, Duration wait) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be at least 1, was " + bytes);
    }
    pace = new Pace(bytes, nanos("wait", wait), 0);
  }

  private static long nanos(String name, Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative, was " + time);
    }
    return time.toNanos();
  }

  /** Forwards new connections again, at full speed. */
  public void mend() {
    pace = Pace.FULL;
    network = Network.UP;
  }

  @Override
  public void close() {
    cut();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        accepted.incrementAndGet();
        connect(client);
      } catch (IOException e) {
        // the proxy is closed, or its server is away
      }
    }
  }

  private void connect(Socket client) throws IOException {
    int born = silences.get();
    Network met = network;
    sockets.add(client);
    clients.add(client);
    if (met == Network.CUT) {
      forget(client);
    } else if (met == Network.SILENT) {
      start("drop", () -> copy(client, OutputStream.nullOutputStream(), -1, request -> true));
    } else {
      Socket upstream;
      try {
        HostAndPort to = target;
        upstream = new Socket(to.getHost(), to.getPort());
      } catch (IOException away) {
        forget(client);
        throw away;
      }
      sockets.add(upstream);
      AtomicBoolean deaf = new AtomicBoolean();
      start("up", () -> pass(client, upstream, born, request -> heard(request, deaf)));
      start("down", () -> pass(upstream, client, born, answer -> !deaf.get()));
      if (network == Network.CUT) {
        cut();
      }
    }
  }

  /** Passes each request on; from one whose answer will be lost, the client hears no more. */
  private boolean heard(String request, AtomicBoolean deaf) {
    String next = unanswered.peek();
    if (next != null && request.contains(next) && unanswered.remove(next)) {
      deaf.set(true);
    }
    return true;
  }

  private boolean isSilent(int born) {
    return silences.get() != born;
  }

  private void pass(Socket from, Socket to, int born, Predicate<String> passes) {
    try {
      copy(from, to.getOutputStream(), born, passes);
    } catch (IOException e) {
      // cut
    } finally {
      if (!isSilent(born)) {
        forget(to);
      }
    }
  }

  /** Ends when the sender does. */
  private void copy(Socket from, OutputStream to, int born, Predicate<String> passes) {
    try (InputStream in = from.getInputStream()) {
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!isSilent(born) && passes.test(new String(buffer, 0, read, ISO_8859_1))) {
          pace.write(to, buffer, read);
        }
      }
    } catch (IOException e) {
      // cut
    } finally {
      forget(from);
    }
  }

  private void forget(Socket socket) {
    sockets.remove(socket);
    clients.remove(socket);
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }
}
