package io.millrace.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("NullAway.Init") // connect() sets the fields
class TcpProxyTest {

  private static final byte[] SENT = {1, 2, 3, 4, 5, 6, 7, 8};

  private ServerSocket server;
  private TcpProxy proxy;
  private Socket client;
  private Socket accepted;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    proxy = new TcpProxy("localhost:" + server.getLocalPort());
    client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    accepted = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    accepted.close();
    proxy.close();
    server.close();
  }

  private byte[] received(int count) throws IOException {
    byte[] bytes = new byte[count];
    new DataInputStream(accepted.getInputStream()).readFully(bytes);
    return bytes;
  }

  @Test
  void aDelayHoldsBytesForAtLeastItsLatency() throws IOException {
    Duration latency = Duration.ofMillis(40);
    proxy.delay(latency, Duration.ofMillis(1));

    long start = System.nanoTime();
    client.getOutputStream().write(SENT);

    assertThat(received(SENT.length)).containsExactly(SENT);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(latency.toNanos());
  }

  @Test
  void aDripPassesOnAFewBytesAtATimeInTheirOrder() throws IOException {
    proxy.drip(3, Duration.ofMillis(20));

    long start = System.nanoTime();
    client.getOutputStream().write(SENT);

    InputStream in = accepted.getInputStream();
    byte[] first = new byte[SENT.length];
    int read = in.read(first);
    assertThat(read).isBetween(1, SENT.length);
    byte[] rest = received(SENT.length - read);
    System.arraycopy(rest, 0, first, read, rest.length);
    assertThat(first).containsExactly(SENT);
    // 8 bytes are 3 pieces, and each waits.
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
  }

  @Test
  void theAnswersAreSlowToo() throws IOException {
    Duration latency = Duration.ofMillis(40);
    proxy.delay(latency, Duration.ZERO);

    long start = System.nanoTime();
    accepted.getOutputStream().write(7);

    assertThat(client.getInputStream().read()).isEqualTo(7);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(latency.toNanos());
  }

  @Test
  void aMendedProxyPassesEverythingOn() throws IOException {
    proxy.drip(1, Duration.ofDays(1));
    proxy.mend();

    client.getOutputStream().write(SENT);

    assertThat(received(SENT.length)).containsExactly(SENT);
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThatThrownBy(() -> proxy.delay(Duration.ofMillis(-1), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("latency must not be negative, was PT-0.001S");
    assertThatThrownBy(() -> proxy.delay(Duration.ZERO, Duration.ofMillis(-1)))
        .hasMessage("jitter must not be negative, was PT-0.001S");
    assertThatThrownBy(() -> proxy.drip(0, Duration.ZERO))
        .hasMessage("bytes must be at least 1, was 0");
  }
}
