package io.millrace.torture;

/**
 * A server with its tables and sequences, which the parent started.
 *
 * @param description a text to print
 * @param server the server, as {@code host:port}
 * @param names its name, or those of its parts
 * @param access the parent's access to it
 * @param drop removes it; may block
 */
record Database(String description, String server, String names, Access access, Runnable drop)
    implements AutoCloseable {

  @Override
  public void close() {
    access.close();
    drop.run();
  }
}
