package io.millrace.spring.boot;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Sequences without gaps over Spanner's own client. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({DatabaseClient.class, SpannerSequenceStore.class})
@ConditionalOnSingleCandidate(SpannerSequenceStore.class)
@ConditionalOnMissingBean(GaplessSource.class)
class SpannerGaplessConfiguration {

  @Bean
  @Lazy // made for the first sequence of millrace.gapless, if there is one
  SpannerGaplessSource transactionalSequences(
      SpannerSequenceStore store, MillraceProperties properties, ObjectProvider<Clock> clocks) {
    return new SpannerGaplessSource(GaplessRows.of(properties, clocks), store::transactional);
  }
}
