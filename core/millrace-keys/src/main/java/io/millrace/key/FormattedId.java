package io.millrace.key;

import io.millrace.internal.ShownText;

/**
 * Writes a number as an identifier for people, such as {@code INV-00042}, and reads it back.
 *
 * <pre>{@code
 * FormattedId invoices = FormattedId.builder().prefix("INV-").width(5).build();
 * Flux<String> ids = generator.values().map(invoices);
 * }</pre>
 *
 * <p>Numbers of a fixed width sort as texts as they do as numbers, so the identifiers of a counter
 * cause the same hotspot as the counter. To spread them, reverse the counter's bits first with
 * {@link BitReversal#PRESERVING_SIGN}, which gives no negative numbers. Reversed numbers need the
 * full width of the radix.
 *
 * <p>A number that is wider than the width is refused, not written with more digits. {@link
 * #decode} takes exactly the texts that {@link #apply} gives: letters in the same case, the same
 * zeros, no spaces, and none of the look-alikes that Crockford's notation lets people type.
 */
public final class FormattedId implements KeyCodec<Long, String> {

  private final String prefix;
  private final Alphabet alphabet;

  /** How many digits a number has, 0 for as many as it needs. */
  private final int width;

  private final boolean checked;

  private FormattedId(String prefix, Alphabet alphabet, int width, boolean checked) {
    this.prefix = prefix;
    this.alphabet = alphabet;
    this.width = width;
    this.checked = checked;
  }

  /**
   * Starts a format of decimal digits without prefix, fixed width or check digit.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Writes a number.
   *
   * @param key the number
   * @return prefix, digits and, if there is one, check digit
   * @throws KeyFormatException if {@code key} is null, negative or wider than the width
   */
  @Override
  public String apply(Long key) {
    if (NullKeys.refuse(key) < 0) {
      throw new KeyFormatException("value must be 0 or more, was " + key);
    }
    String digits = alphabet.format(key, width);
    if (width > 0 && digits.length() > width) {
      throw new KeyFormatException(
          "value must have at most "
              + width
              + " digits of radix "
              + alphabet.radix()
              + ", was "
              + key);
    }
    return prefix + digits + (checked ? alphabet.checkDigit(digits) : "");
  }

  @Override
  public Long decode(String value) {
    if (!NullKeys.refuse(value).startsWith(prefix)) {
      throw refused("begin with " + ShownText.quote(prefix), value);
    }
    int end = value.length() - (checked ? 1 : 0);
    int length = end - prefix.length();
    if (width > 0 ? length != width : length < 1) {
      throw refused(
          "have "
              + (width > 0 ? width + " digits" : "digits")
              + (checked ? " and a check digit after " : " after ")
              + ShownText.quote(prefix),
          value);
    }
    String digits = value.substring(prefix.length(), end);
    long key = alphabet.parse(digits);
    if (key < 0) {
      throw refused("be digits of radix " + alphabet.radix() + ", up to 2^63 - 1", value);
    }
    if (width == 0 && length > 1 && digits.startsWith("0")) {
      throw refused("not begin with zeros", value);
    }
    if (checked && value.charAt(end) != alphabet.checkDigit(digits)) {
      throw refused("end with the check digit of the others", value);
    }
    return key;
  }

  private static KeyFormatException refused(String rule, String value) {
    return new KeyFormatException("identifier must " + rule + ", was " + ShownText.quote(value));
  }

  @Override
  public String toString() {
    return "FormattedId[prefix="
        + ShownText.quote(prefix)
        + ", radix="
        + alphabet.radix()
        + ", width="
        + width
        + ", checkDigit="
        + checked
        + "]";
  }

  /** Collects the parts of a format. Not safe for use by several threads. */
  public static final class Builder {

    private String prefix = "";
    private Alphabet alphabet = Alphabet.ofRadix(10);
    private int width;
    private boolean checked;

    private Builder() {}

    /**
     * Sets what every identifier begins with. Defaults to nothing.
     *
     * @param prefix any text; the check digit does not cover it
     * @return this
     * @throws IllegalArgumentException if {@code prefix} has an unpaired surrogate
     */
    public Builder prefix(String prefix) {
      this.prefix = KeyText.requireSetting("prefix", prefix);
      return this;
    }

    /**
     * Sets the digits. Defaults to 10.
     *
     * @param radix 10; 16 or 36, with letters in upper case; 32, Crockford's Base32 (crockford.com,
     *     "Base 32"), which leaves out I, L, O and U; or 62, letters in upper case before those in
     *     lower case
     * @return this
     * @throws IllegalArgumentException if {@code radix} is none of these
     */
    public Builder radix(int radix) {
      alphabet = Alphabet.ofRadix(radix);
      return this;
    }

    /**
     * Sets how many digits every identifier has, zeros in front included, without the check digit.
     * Defaults to 0: as many as the number needs.
     *
     * @param width from 0 to what {@link Long#MAX_VALUE} needs: 19 digits of radix 10, 16 of 16, 13
     *     of 32 and of 36, 11 of 62
     * @return this
     * @throws IllegalArgumentException if {@code width} is negative; {@link #build}, which knows
     *     the radix, refuses a width that is too large
     */
    public Builder width(int width) {
      if (width < 0) {
        throw new IllegalArgumentException("width must be 0 or more, was " + width);
      }
      this.width = width;
      return this;
    }

    /**
     * Adds a check digit at the end: the hybrid system MOD M+1,M of ISO/IEC 7064, where M is the
     * radix, for example MOD 37,36. It detects every single wrong digit and most swapped pairs.
     * Defaults to none.
     *
     * @return this
     */
    public Builder checkDigit() {
      checked = true;
      return this;
    }

    /**
     * Creates the codec.
     *
     * @return a codec of what was set so far
     * @throws IllegalArgumentException if the width is more than the radix needs
     */
    public FormattedId build() {
      if (width > alphabet.maxWidth()) {
        throw new IllegalArgumentException(
            "width must be from 0 to "
                + alphabet.maxWidth()
                + " digits of radix "
                + alphabet.radix()
                + ", was "
                + width);
      }
      return new FormattedId(prefix, alphabet, width, checked);
    }
  }
}
