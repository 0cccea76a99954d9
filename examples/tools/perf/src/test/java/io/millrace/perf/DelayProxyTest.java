package io.millrace.perf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayProxyTest {

  private static final Duration ROUND_TRIP = Duration.ofMillis(40);

  private ServerSocket server;
  private DelayProxy proxy;
  private Socket client;
  private Socket peer;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getByName("localhost"));
    proxy = new DelayProxy("localhost:" + server.getLocalPort(), ROUND_TRIP);
    client = new Socket("localhost", proxy.port());
    peer = server.accept();
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    peer.close();
    server.close();
    proxy.close();
  }

  @Test
  void aRoundTripTakesAtLeastTheAddedTime() throws IOException {
    long start = System.nanoTime();
    client.getOutputStream().write("there".getBytes(UTF_8));
    assertThat(peer.getInputStream().readNBytes(5)).asString(UTF_8).isEqualTo("there");
    peer.getOutputStream().write("back".getBytes(UTF_8));
    assertThat(client.getInputStream().readNBytes(4)).asString(UTF_8).isEqualTo("back");

    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(ROUND_TRIP.toNanos());
  }

  @Test
  void manyChunksKeepTheirOrder() throws IOException {
    byte[] sent = new byte[1_000_000];
    new Random(1).nextBytes(sent);
    for (int from = 0; from < sent.length; from += 1_000) {
      client.getOutputStream().write(sent, from, 1_000);
    }
    assertThat(peer.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
  }

  @Test
  void theEndOfAConnectionComesAfterItsData() throws IOException {
    client.getOutputStream().write("bye".getBytes(UTF_8));
    client.close();

    assertThat(peer.getInputStream().readAllBytes()).asString(UTF_8).isEqualTo("bye");
  }

  @Test
  void theConnectionEndsIfTheServerIsAway() throws IOException {
    server.close();
    try (Socket late = new Socket("localhost", proxy.port())) {
      assertThat(late.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void closingTheProxyEndsItsConnections() throws IOException {
    proxy.close();

    assertThat(peer.getInputStream().read()).isEqualTo(-1);
  }
}
