package io.millrace.advisor;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The report for code review, in SARIF 2.1.0. */
final class SarifReport {

  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  /** The rule of the result that stands for a refusal. */
  private static final Map<String, Object> NOT_JUDGED =
      object("id", "not-judged", "shortDescription", message("The schema cannot be judged."));

  private SarifReport() {}

  static String of(Advice advice) {
    return text(true, advice.findings().stream().map(SarifReport::result).toList());
  }

  static String of(SchemaFileException refused) {
    Place place = new Place(refused.file(), refused.line().orElse(1), "");
    return text(
        false,
        List.of(
            object(
                "ruleId",
                "not-judged",
                "level",
                "error",
                "message",
                message(String.valueOf(refused.getMessage())),
                "locations",
                List.of(object("physicalLocation", physical(place))))));
  }

  private static String text(boolean successful, List<Map<String, Object>> results) {
    Map<String, Object> run =
        object(
            "tool",
            object("driver", driver()),
            "invocations",
            List.of(object("executionSuccessful", successful)),
            "results",
            results);
    return Json.text(object("$schema", SCHEMA, "version", "2.1.0", "runs", List.of(run)));
  }

  private static Map<String, Object> driver() {
    Stream<Map<String, Object>> rules = Arrays.stream(Rule.values()).map(SarifReport::rule);
    return object(
        "name", "Millrace advise", "rules", Stream.concat(rules, Stream.of(NOT_JUDGED)).toList());
  }

  private static Map<String, Object> rule(Rule rule) {
    return object(
        "id",
        rule.id(),
        "shortDescription",
        message(rule.why()),
        "fullDescription",
        message(rule.why() + " Source: " + rule.source() + "."),
        "helpUri",
        rule.url());
  }

  /** Names and values in this order, so that the same schema gives the same text. */
  private static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  private static Map<String, Object> message(String text) {
    return object("text", text);
  }

  private static Map<String, Object> result(Finding finding) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("ruleId", finding.rule().id());
    result.put("level", level(finding.severity()));
    result.put(
        "message",
        message(
            finding.object()
                + ": "
                + finding.what()
                + ". "
                + finding.rule().why()
                + (finding.remedy().isEmpty() ? "" : "\n\n" + finding.remedyText())));
    Map<String, Object> location = new LinkedHashMap<>();
    location.put("physicalLocation", physical(finding.place()));
    location.put(
        "logicalLocations",
        List.of(
            object(
                "fullyQualifiedName",
                finding.index() == null
                    ? finding.table()
                    : finding.table() + "/" + finding.index())));
    result.put("locations", List.of(location));
    return result;
  }

  private static Map<String, Object> physical(Place place) {
    return object(
        "artifactLocation",
        object("uri", uri(place.file())),
        "region",
        object("startLine", place.line()));
  }

  /** A relative path stays relative; what is before a colon in it is no scheme. */
  private static String uri(Path path) {
    if (path.isAbsolute()) {
      return path.toUri().toASCIIString();
    }
    String relative = path.toString().replace('\\', '/');
    try {
      return new URI(null, null, relative.contains(":") ? "./" + relative : relative, null)
          .toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String level(Severity severity) {
    return switch (severity) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case INFO -> "note";
    };
  }
}
