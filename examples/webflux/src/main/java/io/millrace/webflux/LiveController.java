package io.millrace.webflux;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** The stream of the live page, and its two buttons. */
@RestController
@RequestMapping("/live")
@ConditionalOnBooleanProperty("orders.live.enabled")
class LiveController {

  private final Live live;

  LiveController(Live live) {
    this.live = live;
  }

  @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<LiveState> events() {
    return live.states();
  }

  @PutMapping("/load")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void startLoad() {
    live.startLoad();
  }

  @DeleteMapping("/load")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void stopLoad() {
    live.stopLoad();
  }

  @PutMapping("/outage")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cut() {
    live.cut();
  }

  @DeleteMapping("/outage")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void connect() {
    live.connect();
  }
}
