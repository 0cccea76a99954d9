package io.millrace.webflux;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;

/**
 * One HTTP/1.1 connection that is kept alive. A client library would open another one when this one
 * fails, and wait a moment longer than this before it sends the next request.
 */
final class KeptConnection implements AutoCloseable {

  private final Socket socket;
  private final DataInputStream in;

  /**
   * @param limit how long an answer may take
   */
  KeptConnection(int port, Duration limit) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** Sends a request, reads the whole answer and returns its status. */
  int get(String path) throws IOException {
    socket
        .getOutputStream()
        .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = -1;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
      }
    }
    if (length < 0) {
      throw new IOException("the answer to GET " + path + " has no Content-Length");
    }
    in.readFully(new byte[length]);
    return status;
  }

  private String line() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the service closed the connection");
      }
      text.write(next);
    }
    return text.toString(US_ASCII).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
