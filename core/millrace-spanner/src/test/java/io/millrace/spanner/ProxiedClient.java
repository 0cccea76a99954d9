package io.millrace.spanner;

import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerOptions;
import io.grpc.ManagedChannelBuilder;
import io.millrace.databases.TcpProxy;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client with {@link SequenceClientSettings} behind a proxy that can fail, on a few sessions. */
final class ProxiedClient implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final EmulatorDatabase database;
  private final TcpProxy proxy;
  private final Duration requestTimeout;
  private final int sessions;
  private final Spanner spanner;

  ProxiedClient(EmulatorDatabase database, Duration requestTimeout, int sessions) {
    this.database = database;
    this.requestTimeout = requestTimeout;
    this.sessions = sessions;
    proxy = new TcpProxy(database.emulator().host());
    spanner = connect(proxy.port());
  }

  /** As to Spanner itself: of an emulator, the client asks for an answer when it is built. */
  Spanner connect(int port) {
    return database
        .emulator()
        .connect(
            options -> {
              SpannerOptions.Builder through =
                  options
                      .setEmulatorHost(null)
                      .setHost("http://localhost:" + port)
                      .setChannelConfigurator(ManagedChannelBuilder::usePlaintext);
              return SequenceClientSettings.applyTo(through, requestTimeout)
                  .setSessionPoolOption(
                      options.build().getSessionPoolOptions().toBuilder()
                          .setMaxSessions(sessions)
                          .setFailIfPoolExhausted()
                          .build());
            });
  }

  TcpProxy proxy() {
    return proxy;
  }

  DatabaseClient client() {
    return spanner.getDatabaseClient(database.id());
  }

  /** How many transactions can begin at a time; a request that still runs has its session. */
  int obtainableSessions() throws Exception {
    List<AsyncTransactionManager> begun = new ArrayList<>();
    try {
      while (begun.size() < sessions) {
        AsyncTransactionManager manager = client().transactionManagerAsync();
        begun.add(manager);
        manager.beginAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
      return begun.size();
    } catch (SpannerException exhausted) {
      if (exhausted.getErrorCode() != ErrorCode.RESOURCE_EXHAUSTED) {
        throw exhausted;
      }
      return begun.size() - 1;
    } finally {
      for (AsyncTransactionManager manager : begun) {
        manager.closeAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  @Override
  public void close() {
    proxy.mend();
    spanner.close(); // asks the server to end its sessions, and waits for the answer
    proxy.close();
  }
}
