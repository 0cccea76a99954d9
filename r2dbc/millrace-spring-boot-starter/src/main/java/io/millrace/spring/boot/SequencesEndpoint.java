package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The generators of the application, from their snapshots: a request reads memory only, and makes
 * no generator.
 */
@Endpoint(id = "sequences")
record SequencesEndpoint(SequenceGenerators generators) {

  private Stream<SequenceGeneratorSnapshot> all() {
    return Stream.concat(
        GeneratorStates.named(generators), GeneratorStates.ofTemplates(generators));
  }

  /** The states of the named sequences, and of those of templates that have a generator now. */
  @ReadOperation
  Map<String, String> sequences() {
    Map<String, String> states = new LinkedHashMap<>();
    all().forEach(each -> states.put(each.name(), GeneratorStates.status(each)));
    return states;
  }

  /** One sequence; null, and so status 404, if there is none of that name. */
  @ReadOperation
  @Nullable Map<String, Object> sequence(
      @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
    String sequence = String.join("/", name);
    return all()
        .filter(each -> each.name().equals(sequence))
        .findFirst()
        .map(GeneratorStates::details)
        .orElse(null);
  }
}
