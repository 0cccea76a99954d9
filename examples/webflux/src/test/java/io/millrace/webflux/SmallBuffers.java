package io.millrace.webflux;

import io.netty.channel.ChannelOption;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Makes the buffers of connections small compared with the requests of the tests. */
@Component
class SmallBuffers implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

  static final int BYTES = 64 * 1024;

  @Override
  public void customize(NettyReactiveWebServerFactory factory) {
    factory.addServerCustomizers(
        server ->
            server
                .option(ChannelOption.SO_RCVBUF, BYTES)
                .childOption(ChannelOption.SO_RCVBUF, BYTES)
                .childOption(ChannelOption.SO_SNDBUF, BYTES));
  }
}
