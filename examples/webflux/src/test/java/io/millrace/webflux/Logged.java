package io.millrace.webflux;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Keeps what is logged at a level or above. */
final class Logged extends AppenderBase<ILoggingEvent> {

  final List<String> lines = new CopyOnWriteArrayList<>();

  private final Level least;

  private @Nullable Logger source;

  Logged(Level least) {
    this.least = least;
  }

  void listenTo(String logger) {
    Logger found = (Logger) LoggerFactory.getLogger(logger);
    source = found;
    start();
    found.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(least)) {
      lines.add(event.getFormattedMessage());
    }
  }

  @Override
  public void stop() {
    if (source != null) {
      source.detachAppender(this);
    }
    super.stop();
  }
}
