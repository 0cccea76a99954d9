package io.millrace.quickstart;

import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ExecuteSqlRequest;
import com.google.spanner.v1.ReadRequest;
import com.google.spanner.v1.RequestOptions;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests sent by transactions, by transaction tag. */
final class RequestCounter implements ClientInterceptor {

  private final ConcurrentMap<String, LongAdder> byTag = new ConcurrentHashMap<>();

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void sendMessage(Q message) {
        RequestOptions sent = optionsOf(message);
        byTag.computeIfAbsent(sent.getTransactionTag(), tag -> new LongAdder()).increment();
        super.sendMessage(message);
      }
    };
  }

  private static RequestOptions optionsOf(Object message) {
    if (message instanceof ReadRequest read) {
      return read.getRequestOptions();
    }
    if (message instanceof ExecuteSqlRequest query) {
      return query.getRequestOptions();
    }
    if (message instanceof BeginTransactionRequest begin) {
      return begin.getRequestOptions();
    }
    if (message instanceof CommitRequest commit) {
      return commit.getRequestOptions();
    }
    return RequestOptions.getDefaultInstance();
  }

  /** The number of requests in transactions whose tag begins with a prefix. */
  long tagged(String prefix) {
    return byTag.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .mapToLong(entry -> entry.getValue().sum())
        .sum();
  }
}
