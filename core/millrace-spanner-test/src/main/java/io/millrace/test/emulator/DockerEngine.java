package io.millrace.test.emulator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether a Docker engine accepts connections. This is checked before Testcontainers is used,
 * because without an engine Testcontainers takes seconds and logs pages.
 */
final class DockerEngine {

  private DockerEngine() {}

  static boolean answers() {
    String host = System.getenv("DOCKER_HOST");
    try {
      URI address = URI.create(host == null ? "unix:///var/run/docker.sock" : host);
      return "unix".equals(address.getScheme())
          ? answersOn(Path.of(address.getPath()))
          : answersOn(address.getHost(), address.getPort() < 0 ? 2375 : address.getPort());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static boolean answersOn(Path socket) throws IOException {
    if (!Files.exists(socket)) {
      return false;
    }
    SocketAddress address = UnixDomainSocketAddress.of(socket);
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(address);
    }
  }

  private static boolean answersOn(String host, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1_000);
      return true;
    }
  }
}
