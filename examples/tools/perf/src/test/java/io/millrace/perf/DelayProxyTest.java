package io.millrace.perf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Real sockets on the loopback interface; the delay is in virtual time. */
class DelayProxyTest {

  private static final Duration DELAY = Duration.ofHours(1);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PATIENCE_MILLIS = (int) LIMIT.toMillis();
  private static final int GLANCE_MILLIS = 100;

  private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
  private ServerSocket server;
  private DelayProxy proxy;
  private Socket client;
  private Socket peer;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getByName("localhost"));
    server.setSoTimeout(PATIENCE_MILLIS);
    proxy = DelayProxy.start("localhost", server.getLocalPort(), DELAY, clock);
    client = new Socket("localhost", proxy.port());
    peer = server.accept();
    client.setSoTimeout(PATIENCE_MILLIS);
    peer.setSoTimeout(PATIENCE_MILLIS);
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    peer.close();
    server.close();
    proxy.close();
  }

  @Test
  void whatIsSentComesAfterTheDelayAndNotBefore() throws IOException {
    send(client, "there".getBytes(UTF_8));
    assertNothingComes(peer);
    clock.advanceTimeBy(DELAY.minusNanos(1));
    assertNothingComes(peer);
    clock.advanceTimeBy(Duration.ofNanos(1));
    assertThat(read(peer, 5)).asString(UTF_8).isEqualTo("there");
  }

  @Test
  void answersAreDelayedToo() throws IOException {
    send(peer, "back".getBytes(UTF_8));
    assertNothingComes(client);
    clock.advanceTimeBy(DELAY);
    assertThat(read(client, 4)).asString(UTF_8).isEqualTo("back");
  }

  @Test
  void manyPartsTakeOneDelayAndKeepTheirOrder() throws IOException {
    byte[] sent = new byte[100_000];
    new Random(1).nextBytes(sent);
    for (int from = 0; from < sent.length; from += 1_000) {
      client.getOutputStream().write(sent, from, 1_000);
    }
    await().atMost(LIMIT).until(() -> proxy.bytes() == sent.length);
    clock.advanceTimeBy(DELAY);
    assertThat(read(peer, sent.length)).isEqualTo(sent);
  }

  @Test
  void partsSentLaterComeLater() throws IOException {
    send(client, "a".getBytes(UTF_8));
    clock.advanceTimeBy(DELAY.dividedBy(2));
    send(client, "b".getBytes(UTF_8));
    clock.advanceTimeBy(DELAY.dividedBy(2));
    assertThat(read(peer, 1)).asString(UTF_8).isEqualTo("a");
    assertNothingComes(peer);
    clock.advanceTimeBy(DELAY.dividedBy(2));
    assertThat(read(peer, 1)).asString(UTF_8).isEqualTo("b");
  }

  @Test
  void moreChunksAreUnderWayThanReactorNettyAsksForAtATime() throws IOException {
    for (int chunk = 0; chunk < 300; chunk++) {
      send(client, new byte[] {(byte) chunk});
    }
    clock.advanceTimeBy(DELAY);
    byte[] read = read(peer, 300);
    assertThat(read).hasSize(300);
    assertThat(read[299]).isEqualTo((byte) 299);
  }

  @Test
  void whenTheClientClosesTheServerIsToldAfterTheLastThatItSent() throws IOException {
    send(client, "bye".getBytes(UTF_8));
    client.close();
    assertNothingComes(peer);
    clock.advanceTimeBy(DELAY.minusNanos(1));
    assertNothingComes(peer);
    clock.advanceTimeBy(Duration.ofNanos(1));
    assertThat(read(peer, 3)).asString(UTF_8).isEqualTo("bye");
    assertEndComes(peer);
  }

  @Test
  void whenTheServerClosesTheClientIsToldAfterTheLastThatItSent() throws IOException {
    send(peer, "bye".getBytes(UTF_8));
    peer.close();
    assertNothingComes(client);
    clock.advanceTimeBy(DELAY);
    assertThat(read(client, 3)).asString(UTF_8).isEqualTo("bye");
    assertEndComes(client);
  }

  @Test
  void aServerThatIsNotThereEndsTheClientsConnection() throws IOException {
    server.close();
    try (Socket late = new Socket("localhost", proxy.port())) {
      late.setSoTimeout(PATIENCE_MILLIS);
      assertThat(late.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void closingTheProxyEndsItsConnectionsAndTakesNoMore() throws IOException {
    int port = proxy.port();
    proxy.close();
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    assertThat(peer.getInputStream().read()).isEqualTo(-1);
    assertThatThrownBy(() -> new Socket("localhost", port).close())
        .isInstanceOf(ConnectException.class);
    assertThat(clock.isDisposed()).isTrue();
  }

  /** Sends, and waits until the proxy has it. */
  private void send(Socket from, byte[] what) throws IOException {
    long before = proxy.bytes();
    from.getOutputStream().write(what);
    from.getOutputStream().flush();
    await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> proxy.bytes() == before + what.length);
  }

  private static byte[] read(Socket at, int count) throws IOException {
    return at.getInputStream().readNBytes(count);
  }

  private static void assertNothingComes(Socket at) throws IOException {
    at.setSoTimeout(GLANCE_MILLIS);
    assertThatThrownBy(() -> at.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    at.setSoTimeout(PATIENCE_MILLIS);
  }

  /** The proxy is told of the end some time after it; from then on the clock has to move. */
  private void assertEndComes(Socket at) throws IOException {
    at.setSoTimeout(GLANCE_MILLIS);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              clock.advanceTimeBy(DELAY);
              try {
                return at.getInputStream().read() == -1;
              } catch (SocketTimeoutException e) {
                return false;
              }
            });
  }
}
