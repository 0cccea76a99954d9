package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;

/**
 * The live page in Chromium. Skipped where there is none, unless the system property {@code
 * chromium.required} is true. The property {@code live.screenshot} names a file for a picture.
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
            // the buttons switch; what ended by itself would be started by the click that ends it
            "--orders.live.load-limit=1h",
            "--orders.live.load-concurrency=1", // leaves the browser a core
            "--orders.live.outage-limit=1h",
            "--orders.patience=2s",
            "--server.shutdown=immediate",
            "--millrace.ledger.table=sequence_ledger");
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
    browser.open(service.url() + "/live");
    browser.await("idle", page -> page.text("status").startsWith("Idle"));
  }

  private String picture(String canvas) {
    return (String) browser.run("return document.getElementById('" + canvas + "').toDataURL()");
  }

  @Test
  void itShowsTheSequenceAndTheLedger() {
    service
        .client()
        .post()
        .uri("/orders")
        .bodyValue(Map.of("customer", "Ann", "item", "flour", "quantity", 3))
        .retrieve()
        .toBodilessEntity()
        .block(Service.PATIENCE);
    browser.await("sequence", page -> page.text("sequences").startsWith("order_id "));
    browser.await("ledger", page -> page.text("holders").contains("@"));
  }

  @Test
  void theLoadMovesNumbersAndCharts() {
    String before = picture("reversed");
    long placed = browser.number("placed"); // by the other tests
    browser.find("load").click();
    browser.await("load", page -> page.text("status").equals("The load runs."));
    browser.await("orders", page -> page.number("placed") > placed + 150);
    assertThat(browser.text("load")).isEqualTo("Stop load");
    assertThat(browser.text("plain-text")).contains("in 1 of 64 parts").contains("100 %");
    assertThat(browser.text("reversed-text")).contains("in 64 of 64 parts");
    assertThat(browser.text("sharded-text")).contains("of 64 parts");
    assertThat(picture("reversed")).isNotEqualTo(before);
    browser.find("load").click();
    browser.await("end", page -> page.text("load").equals("Start load"));
  }

  @Test
  void itSurvivesAnOutageAndShowsTheRecovery() {
    browser.find("load").click();
    browser.await("load", page -> page.text("status").equals("The load runs."));
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
  void theKeyboardIsEnough() {
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
  void aPhoneNeedsNoSidewaysScrolling() {
    browser.devTools(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", 360, "height", 740, "deviceScaleFactor", 1, "mobile", true));
    browser.find("load").click();
    browser.await("orders", page -> page.number("placed") > 50);
    assertThat((Long) browser.run("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(360L);
  }

  @Test
  void darkModeHasItsOwnColours() {
    String colour = "return getComputedStyle(document.body).backgroundColor";
    Object light = browser.run(colour);
    browser.devTools(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
    assertThat(browser.run(colour)).isNotEqualTo(light).isEqualTo("rgb(18, 22, 27)");
  }

  @Test
  void aScreenReaderHasANameForEachButtonPictureAndRegion() {
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
  void nothingIsFetchedFromElsewhere() {
    List<String> fetched =
        (List<String>)
            browser.run("return performance.getEntriesByType('resource').map(e => e.name)");
    assertThat(fetched).hasSizeGreaterThan(2).allMatch(url -> url.startsWith(service.url()));
  }

  @Test
  void aPictureForTheDocumentationCanBeTaken() throws IOException {
    String file = System.getProperty("live.screenshot");
    int orders = file == null ? 100 : 1_500;
    browser.find("load").click();
    browser.await("orders", page -> page.number("placed") > orders);
    byte[] picture = browser.driver().getScreenshotAs(OutputType.BYTES);
    assertThat(picture).hasSizeGreaterThan(10_000);
    if (file != null) {
      Files.write(Path.of(file), picture);
    }
  }
}
