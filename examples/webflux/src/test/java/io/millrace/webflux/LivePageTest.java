package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * The live page in Chromium. Skipped where there is none, unless the system property {@code
 * chromium.required} is true. The property {@code live.screenshots} names a folder for pictures of
 * the page at three widths, light and dark.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class LivePageTest {

  private Service service;
  private Browser browser;

  @BeforeAll
  void start(@TempDir Path profile) {
    if (!Browser.isThere()) {
      String missing = "the live page is not tested: no Chromium; " + Browser.HOW_TO_GET;
      assertThat(Boolean.getBoolean("chromium.required")).as(missing).isFalse();
      assumeTrue(false, missing);
    }
    service =
        Service.overH2(
            "--orders.live.enabled=true",
            // never ends a load or an outage before the click that ends it, which would start it
            // anew
            "--orders.live.limit=1h",
            "--orders.live.concurrency=1", // leaves the browser a core
            "--server.shutdown=immediate");
    browser = Browser.start(profile);
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (service != null) {
      service.close();
    }
  }

  @BeforeEach
  void openPage() {
    service.tester().delete().uri("/live/load").exchange();
    service.tester().delete().uri("/live/outage").exchange();
    browser.devTools("Emulation.clearDeviceMetricsOverride", Map.of());
    browser.devTools("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    browser.open(service.url() + "/live/index.html");
    browser.await("idle", page -> page.text("status").startsWith("Idle"));
  }

  private void startLoad() {
    browser.find("load").click();
    browser.await("load", page -> page.text("status").equals("The load runs."));
  }

  private String picture(String canvas) {
    return (String) browser.run("return document.getElementById('" + canvas + "').toDataURL()");
  }

  @Test
  void showsTheSequence() {
    service
        .client()
        .post()
        .uri("/orders")
        .bodyValue(Map.of("customer", "Ann", "item", "flour", "quantity", 3))
        .retrieve()
        .toBodilessEntity()
        .block(Service.PATIENCE);
    browser.await("sequence", page -> page.text("sequences").startsWith("order_id "));
  }

  @Test
  void loadMovesNumbersAndCharts() {
    String before = picture("reversed");
    long placed = browser.number("placed"); // by the other tests
    startLoad();
    browser.await("orders", page -> page.number("placed") > placed + 64);
    assertThat(browser.text("load")).isEqualTo("Stop load");
    assertThat(browser.text("plain-text")).contains("in 1 of 64 parts").contains("100 %");
    assertThat(browser.text("reversed-text")).contains("in 64 of 64 parts");
    assertThat(browser.text("sharded-text")).contains("of 64 parts");
    assertThat(picture("reversed")).isNotEqualTo(before);
    browser.find("load").click();
    browser.await("end", page -> page.text("load").equals("Start load"));
  }

  @Test
  void showsOutageAndRecovery() {
    startLoad();
    browser.find("outage").click();
    browser.await("outage", page -> page.text("status").contains("cut off"));
    browser.await("failures", page -> page.number("failed") > 0);
    long placed = browser.number("placed");
    assertThat(browser.text("outage")).isEqualTo("Connect the database");
    browser.find("outage").click();
    browser.await("recovery", page -> page.text("status").contains("is back"));
    browser.await("orders", page -> page.number("placed") > placed);
  }

  @Test
  void keyboardIsEnough() {
    WebElement body = browser.driver().findElement(By.tagName("body"));
    body.sendKeys(Keys.TAB);
    assertThat(browser.driver().switchTo().activeElement().getDomAttribute("id")).isEqualTo("load");
    browser.driver().switchTo().activeElement().sendKeys(Keys.SPACE);
    browser.await("load", page -> page.text("load").equals("Stop load"));
    browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
    assertThat(browser.driver().switchTo().activeElement().getDomAttribute("id"))
        .isEqualTo("outage");
    browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
    browser.await("outage", page -> page.text("status").contains("cut off"));
  }

  @Test
  void darkModeHasItsOwnColours() {
    String colour = "return getComputedStyle(document.body).backgroundColor";
    Object light = browser.run(colour);
    mode("dark");
    assertThat(browser.run(colour)).isNotEqualTo(light).isEqualTo("rgb(18, 22, 27)");
  }

  @Test
  void namesEachButtonPictureAndRegionForAScreenReader() {
    List<Browser.Accessible> parts =
        browser.accessible().stream()
            .filter(part -> List.of("button", "image", "img", "region").contains(part.role()))
            .toList();
    assertThat(parts).filteredOn(part -> part.role().equals("button")).hasSize(2);
    assertThat(parts).filteredOn(part -> part.role().startsWith("im")).hasSize(5);
    assertThat(parts).allSatisfy(part -> assertThat(part.name()).isNotBlank());
    assertThat(browser.find("status").getDomAttribute("role")).isEqualTo("status");
  }

  @Test
  @SuppressWarnings("unchecked") // the browser's list
  void fetchesNothingFromElsewhere() {
    List<String> fetched =
        (List<String>)
            browser.run("return performance.getEntriesByType('resource').map(e => e.name)");
    assertThat(fetched).hasSizeGreaterThan(2).allMatch(url -> url.startsWith(service.url()));
  }

  private String lastCell() {
    return browser
        .driver()
        .findElement(By.cssSelector("#sequences tr:first-child td:last-child"))
        .getText();
  }

  @Test
  void stateOfTheSequenceFollowsAnOutage() {
    browser.await("good", page -> lastCell().equals("good"));
    browser.find("outage").click();
    browser.await("outage", page -> lastCell().matches("cut off, \\d+ left"));
    browser.find("outage").click();
    browser.await("recovery", page -> lastCell().equals("good"));
  }

  @Test
  void showsIdsIssuedAndOrdersFailedDuringAnOutage() {
    startLoad();
    browser.find("outage").click();
    browser.await(
        "ids",
        page ->
            page.find("worth").isDisplayed()
                && page.number("worth-issued") > 2
                && page.number("worth-failed") > 2);
    browser.find("outage").click();
    browser.await("end", page -> !page.find("worth").isDisplayed());
  }

  @Test
  void lineChartsHaveATimeAxis() {
    browser.find("load").click();
    browser.await("orders", page -> page.number("placed") > 20);
    for (String chart : List.of("buffer", "latency")) {
      String axis = "return Chart.getChart('" + chart + "').scales.x";
      assertThat(browser.run(axis + ".ticks.map(t => t.label)"))
          .isEqualTo(List.of("60 s ago", "45 s ago", "30 s ago", "15 s ago", "now"));
      assertThat(browser.run(axis + ".options.display")).isEqualTo(true);
      assertThat(
              browser.run(
                  "const at = Chart.getChart('%s').data.datasets[0].data.map(d => d.x);"
                          .formatted(chart)
                      + "return at.at(-1) === 0 && at.every((x, i) => !i || x > at[i - 1])"))
          .isEqualTo(true);
    }
  }

  private void width(int pixels) {
    browser.devTools("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    browser.devTools(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", pixels, "height", 800, "deviceScaleFactor", 1, "mobile", pixels < 600));
  }

  private void mode(String scheme) {
    browser.devTools(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Names the elements that reach out of the page or hide a part of their content. */
  private Object cutOff() {
    return browser.run(
        """
        return [...document.querySelectorAll('body *:not(thead, thead *)')]
          .filter((each) => each.getClientRects().length)
          .filter((each) => each.getBoundingClientRect().right > innerWidth
            || (each.clientWidth && each.scrollWidth > each.clientWidth))
          .map((each) => `${each.tagName} ${each.id} ${each.textContent}`)
        """);
  }

  @ParameterizedTest
  @ValueSource(ints = {360, 705, 1280})
  void cutsNothingOffAtAnyWidth(int pixels) {
    width(pixels);
    startLoad();
    browser.find("outage").click();
    browser.await("outage", page -> lastCell().contains("cut off") && page.number("failed") > 0);
    assertThat(cutOff()).isEqualTo(List.of());
    browser.open(service.url() + "/index.html");
    assertThat(browser.text("requests-title")).isEqualTo("Requests");
    assertThat(cutOff()).isEqualTo(List.of());
  }

  @Test
  void showsARowAsACardOnAPhone() {
    width(360);
    browser.await("sequence", page -> page.text("sequences").startsWith("order_id"));
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('#sequences tr:first-child td')]"
                    + ".map(cell => getComputedStyle(cell, '::before').content.split('\"')[1])"))
        .isEqualTo(
            List.of(
                "Sequence",
                "Buffered",
                "Waiting",
                "Issued",
                "Reservations",
                "Latency, ms",
                "State"));
    List<String> roles = browser.accessible().stream().map(Browser.Accessible::role).toList();
    assertThat(roles).contains("table", "row", "columnheader", "cell");
  }

  /** Names the texts whose contrast with their background is below that of WCAG 2. */
  private Object textOfLittleContrast() {
    return browser.run(
"""
const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
  .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const back = (each) => {
  const colour = getComputedStyle(each).backgroundColor;
  return colour === 'rgba(0, 0, 0, 0)' ? back(each.parentElement) : colour;
};
const texts = [...document.querySelectorAll('body *')].filter((each) =>
  [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
if (texts.length < 20) {
  throw new Error(`few texts: ${texts.length}`);
}
return texts.filter((each) => {
  const [low, high] = [light(getComputedStyle(each).color), light(back(each))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05) < 4.5;
}).map((each) => each.textContent)
""");
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  @Tag("long")
  void textHasContrastDuringAnOutage(String scheme) {
    mode(scheme);
    startLoad();
    browser.find("outage").click();
    browser.await("outage", page -> lastCell().contains("cut off"));
    assertThat(textOfLittleContrast()).isEqualTo(List.of());
  }

  @Test
  @Tag("long")
  void takesPicturesForTheDocumentation() throws IOException {
    String folder = System.getProperty("live.screenshots");
    long placed = browser.number("placed");
    browser.find("load").click();
    browser.await("orders", page -> page.number("placed") > placed + (folder == null ? 20 : 900));
    browser.find("outage").click();
    long failed = browser.number("failed");
    browser.await("failures", page -> page.number("failed") > failed + (folder == null ? 2 : 30));
    for (int pixels : folder == null ? List.of(360) : List.of(360, 768, 1280)) {
      for (String scheme : List.of("light", "dark")) {
        width(pixels);
        mode(scheme);
        byte[] picture = wholePage();
        assertThat(picture).hasSizeGreaterThan(10_000);
        if (folder != null) {
          Files.write(Path.of(folder, "live-" + pixels + "-" + scheme + ".png"), picture);
        }
      }
    }
  }

  private byte[] wholePage() {
    return Base64.getDecoder()
        .decode(
            (String)
                browser
                    .devTools(
                        "Page.captureScreenshot",
                        Map.of("format", "png", "captureBeyondViewport", true))
                    .get("data"));
  }
}
