package io.millrace.webflux;

import io.netty.channel.ChannelOption;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Small buffers of connections, so that what they hold is little beside what tests send. */
@Configuration(proxyBeanMethods = false)
class SmallBuffers {

  static final int BYTES = 64 * 1024;

  @Bean
  WebServerFactoryCustomizer<NettyReactiveWebServerFactory> smallBuffers() {
    return factory ->
        factory.addServerCustomizers(
            server ->
                server
                    .option(ChannelOption.SO_RCVBUF, BYTES)
                    .childOption(ChannelOption.SO_RCVBUF, BYTES)
                    .childOption(ChannelOption.SO_SNDBUF, BYTES));
  }
}
