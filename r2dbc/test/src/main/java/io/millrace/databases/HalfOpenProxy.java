package io.millrace.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Forwards connections to a server until {@link #fallSilent}. Then it silently drops every byte in
 * both directions. Connections made during the silence are accepted and never answered. A
 * connection that was silent once stays silent; connections made after {@link #mend} work. {@link
 * #loseAnswerTo} silences one connection, in the direction of the client only.
 */
public final class HalfOpenProxy implements AutoCloseable {

  private static final int BUFFER = 8_192;

  private final ServerSocket server;
  private volatile int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger accepted = new AtomicInteger();

  /** How often the network fell silent. A connection with an earlier count is dead. */
  private final AtomicInteger silences = new AtomicInteger();

  private volatile boolean silent;

  /** Texts of requests whose answers will be lost, in this order. */
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

  /**
   * Starts a proxy on a free port of the loopback interface.
   *
   * @param target the port of the server
   */
  public HalfOpenProxy(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /**
   * Returns the port that it listens on.
   *
   * @return a port on the loopback interface
   */
  public int port() {
    return server.getLocalPort();
  }

  /**
   * Leads connections that are made from now on to another server. Those that are open stay.
   *
   * @param port the port of the other server
   */
  public void leadTo(int port) {
    target = port;
  }

  /** Drops everything from now on. */
  public void fallSilent() {
    silences.incrementAndGet();
    silent = true;
  }

  /**
   * Drops what the server answers to the next request that contains a text, and all that it sends
   * on that connection afterwards. The request reaches the server. Several texts wait for each
   * other.
   *
   * @param text a part of the request that one packet carries
   */
  public void loseAnswerTo(String text) {
    unanswered.add(text);
  }

  /**
   * Returns how many requests of {@link #loseAnswerTo} have not been sent yet.
   *
   * @return 0 or more
   */
  public int answersToLose() {
    return unanswered.size();
  }

  /** Forwards connections that are made from now on. */
  public void mend() {
    silent = false;
  }

  /**
   * Returns how many connections the client has open.
   *
   * @return the number of accepted connections that the client has not closed
   */
  public int open() {
    return open.get();
  }

  /**
   * Returns how many connections the client has made.
   *
   * @return the number of all accepted connections
   */
  public int accepted() {
    return accepted.get();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sockets.forEach(HalfOpenProxy::close);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        accepted.incrementAndGet();
        open.incrementAndGet();
        sockets.add(client);
        boolean dead = silent;
        int age = dead ? -1 : silences.get();
        Socket upstream = dead ? null : new Socket(InetAddress.getLoopbackAddress(), target);
        AtomicBoolean deaf = new AtomicBoolean();
        start(() -> up(client, upstream, age, deaf));
        if (upstream != null) {
          sockets.add(upstream);
          start(() -> down(upstream, client, age, deaf));
        }
      } catch (IOException e) {
        // the proxy is closed, or its server is not reachable
      }
    }
  }

  private boolean lives(int age) {
    return !silent && silences.get() == age;
  }

  /** Reads from the client until it closes. Closes the server's side only if the network works. */
  private void up(Socket client, @Nullable Socket upstream, int age, AtomicBoolean deaf) {
    try (InputStream in = client.getInputStream()) {
      byte[] buffer = new byte[BUFFER];
      int read;
      while ((read = in.read(buffer)) >= 0) {
        if (upstream != null && lives(age)) {
          if (losesAnswer(new String(buffer, 0, read, StandardCharsets.ISO_8859_1))) {
            deaf.set(true);
          }
          OutputStream out = upstream.getOutputStream();
          out.write(buffer, 0, read);
          out.flush();
        }
      }
    } catch (IOException e) {
      // closed by the client
    } finally {
      open.decrementAndGet();
      close(client);
      if (upstream != null && lives(age)) {
        close(upstream);
      }
    }
  }

  private boolean losesAnswer(String request) {
    String next = unanswered.peek();
    return next != null && request.contains(next) && unanswered.remove(next);
  }

  private void down(Socket upstream, Socket client, int age, AtomicBoolean deaf) {
    try (InputStream in = upstream.getInputStream()) {
      byte[] buffer = new byte[BUFFER];
      int read;
      while ((read = in.read(buffer)) >= 0) {
        if (lives(age) && !deaf.get()) {
          OutputStream out = client.getOutputStream();
          out.write(buffer, 0, read);
          out.flush();
        }
      }
    } catch (IOException e) {
      // closed by the server
    } finally {
      if (lives(age)) {
        close(client);
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "half-open-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
