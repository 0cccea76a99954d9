package io.millrace;

import io.millrace.internal.ShownText;

/** Thrown when {@link SequenceGenerators} has no sequence or template for a name. */
public final class SequenceNotConfiguredException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param sequence the requested name
   * @param configured what is configured, for example {@code sequences [invoices], templates
   *     [orders/{tenant}]}
   */
  public SequenceNotConfiguredException(String sequence, String configured) {
    super(
        sequence,
        "no sequence or template is configured for the name "
            + ShownText.quote(sequence)
            + "; there are "
            + configured
            + "; add it to the builder, or allow any name there",
        null);
  }
}
