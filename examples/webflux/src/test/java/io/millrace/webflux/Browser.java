package io.millrace.webflux;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Debian's Chromium, without a window. */
final class Browser implements AutoCloseable {

  static final String HOW_TO_GET = "get it with 'apt-get install chromium chromium-driver'";

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/bin"), Path.of("/usr/lib/chromium"), Path.of("/usr/local/bin"));

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  private static Optional<Path> program(String name) {
    return FOLDERS.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static boolean isThere() {
    return program("chromium").isPresent() && program("chromedriver").isPresent();
  }

  /** Starts it with a profile of its own, in the given folder. */
  static Browser start(Path profile) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium").orElseThrow().toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,1400",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(program("chromedriver").orElseThrow().toFile())
            .usingAnyFreePort()
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  ChromeDriver driver() {
    return driver;
  }

  void open(String url) {
    driver.get(url);
  }

  WebElement find(String id) {
    return driver.findElement(By.id(id));
  }

  String text(String id) {
    return find(id).getText();
  }

  long number(String id) {
    return Long.parseLong(text(id));
  }

  void await(String what, Predicate<Browser> condition) {
    // A row of a table may be replaced while it is read.
    Awaitility.await(what)
        .atMost(LIMIT)
        .ignoreExceptionsInstanceOf(WebDriverException.class)
        .until(() -> condition.test(this));
  }

  Object run(String script) {
    return Objects.requireNonNull(driver.executeScript(script), script);
  }

  Map<String, Object> devTools(String command, Map<String, Object> parameters) {
    return driver.executeCdpCommand(command, parameters);
  }

  /** What a screen reader is told of a part of the page. */
  record Accessible(String role, String name) {

    static Accessible of(JsonNode node) {
      return new Accessible(
          node.path("role").path("value").asString(""),
          node.path("name").path("value").asString(""));
    }
  }

  /** The parts of the page that a screen reader is told of. */
  List<Accessible> accessible() {
    devTools("Accessibility.enable", Map.of());
    JsonNode tree =
        JsonMapper.shared().valueToTree(devTools("Accessibility.getFullAXTree", Map.of()));
    return tree.get("nodes").values().stream()
        .filter(node -> !node.path("ignored").asBoolean(false))
        .map(Accessible::of)
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
