package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.striped.StripedSequenceStore;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** One instance's choices against the library's own, where reservations take what is drawn. */
class RowChooserTest {

  private static final int CHOICES = 10_000;

  /** Times between reservations, from a few to so many that all costs have faded out. */
  @ParameterizedTest
  @CsvSource({"2, 0.01", "3, 0.2", "8, 0.2", "8, 1", "4, 5", "4, 60"})
  void theModelChoosesAsTheLibraryDoes(int rows, double meanIdleSeconds) {
    Scenario scenario =
        Scenarios.of(1, 1, Delay.constant(MILLISECOND), Delay.constant(0), 9, 0).withRows(rows);
    RowChooser model = Simulation.chooser(scenario);
    Recorder recorder = new Recorder();
    UniformRandomProvider choices = Simulation.choices(scenario);
    boolean[] begun = new boolean[1];
    SequenceStore library =
        StripedSequenceStore.builder(recorder)
            .stripes(rows)
            .choice(StripeChoice.BETTER_OF_TWO)
            .random(
                bound -> {
                  boolean first = !begun[0]; // where the choice in turn would begin
                  begun[0] = true;
                  return first ? 0 : choices.nextInt(bound);
                })
            .clock(() -> recorder.now)
            .build();
    Random random = new Random(11);
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < CHOICES; i++) {
      recorder.now += (long) (random.nextExponential() * meanIdleSeconds * 1e9);
      int row = model.choose(0, recorder.now);
      expected.add(row);
      recorder.takes = (long) ((row + 1) * random.nextExponential() * 5 * MILLISECOND);
      long end = recorder.now + recorder.takes;
      library.reserve("s", 1).block();
      model.took(0, row, recorder.takes, end);
    }
    assertThat(expected.stream().distinct()).hasSize(rows);
    assertThat(recorder.asked).isEqualTo(expected);
  }

  /** Answers at once, by a clock that moves on meanwhile. */
  private static final class Recorder implements SequenceStore {

    private final List<Integer> asked = new ArrayList<>();
    private long now;
    private long takes;
    private long nextValue = 1;

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return Mono.fromSupplier(
          () -> {
            asked.add(Integer.parseInt(request.sequence().substring("s#".length())));
            now += takes;
            nextValue += request.size();
            return SequenceBlock.of(nextValue - request.size(), request.size());
          });
    }

    @Override
    public Mono<Void> create(String sequence, long startValue) {
      return Mono.empty();
    }

    @Override
    public Mono<SequenceState> state(String sequence) {
      return Mono.just(new SequenceState(sequence, sequence.equals("s#stride") ? 1_024 : 1));
    }

    @Override
    public boolean isOrdered() {
      return false;
    }

    @Override
    public boolean isReleasable() {
      return false;
    }
  }
}
