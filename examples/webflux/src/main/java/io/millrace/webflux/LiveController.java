package io.millrace.webflux;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
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
@ConditionalOnProperty("orders.live.enabled")
class LiveController {

  private final LivePictures pictures;
  private final LiveLoad load;
  private final DatabaseSwitch database;

  LiveController(LivePictures pictures, LiveLoad load, DatabaseSwitch database) {
    this.pictures = pictures;
    this.load = load;
    this.database = database;
  }

  @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Flux<LiveState> events() {
    return pictures.pictures();
  }

  @PutMapping("/load")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void startLoad() {
    load.start();
  }

  @DeleteMapping("/load")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void stopLoad() {
    load.stop();
  }

  @PutMapping("/outage")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cut() {
    database.cut();
  }

  @DeleteMapping("/outage")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void connect() {
    database.connect();
  }
}
