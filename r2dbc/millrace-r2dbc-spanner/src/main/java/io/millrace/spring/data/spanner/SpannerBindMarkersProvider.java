package io.millrace.spring.data.spanner;

import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.binding.BindMarkersFactory;
import org.springframework.r2dbc.core.binding.BindMarkersFactoryResolver.BindMarkerFactoryProvider;

/** Provides Spanner's bind markers to Spring's DatabaseClient. Found through spring.factories. */
final class SpannerBindMarkersProvider implements BindMarkerFactoryProvider {

  @Override
  public @Nullable BindMarkersFactory getBindMarkers(ConnectionFactory connections) {
    return SpannerSql.of(connections).map(SpannerSql::bindMarkers).orElse(null);
  }
}
