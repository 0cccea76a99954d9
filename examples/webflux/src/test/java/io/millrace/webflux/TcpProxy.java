package io.millrace.webflux;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to a server, until it is cut. */
final class TcpProxy implements AutoCloseable {

  private final ServerSocket server;
  private final String host;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private volatile boolean cut;

  /** Starts one on a free port of the loopback interface. */
  TcpProxy(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    host = hostAndPort.substring(0, colon);
    port = Integer.parseInt(hostAndPort.substring(colon + 1));
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("accept", this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Breaks all connections, and those to come as soon as they are made. */
  void cut() {
    cut = true;
    open.forEach(TcpProxy::close);
  }

  void mend() {
    cut = false;
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
        open.add(client);
        if (cut) {
          close(client);
        } else {
          Socket target = new Socket(host, port);
          open.add(target);
          start("up", () -> copy(client, target));
          start("down", () -> copy(target, client));
          if (cut) {
            cut();
          }
        }
      } catch (IOException e) {
        // the server is closed, or its target is away
      }
    }
  }

  private void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException e) {
      // cut
    } finally {
      close(from);
      close(to);
      open.remove(from);
      open.remove(to);
    }
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
