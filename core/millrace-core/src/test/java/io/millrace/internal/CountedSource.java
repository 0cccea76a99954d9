package io.millrace.internal;

import org.reactivestreams.Subscription;

/** A source that counts what its subscriber asks for. */
class CountedSource implements Subscription {

  long requested;
  int cancels;

  static CountedSource whoseCancelThrows(RuntimeException thrown) {
    return new CountedSource() {
      @Override
      public void cancel() {
        throw thrown;
      }
    };
  }

  @Override
  public void request(long n) {
    requested += n;
  }

  @Override
  public void cancel() {
    cancels++;
  }
}
