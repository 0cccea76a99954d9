package io.millrace.key;

import io.millrace.internal.LogSafe;

/**
 * Formats a number as a readable identifier, such as {@code INV-00042}, and parses it.
 *
 * <pre>{@code
 * FormattedId invoices = FormattedId.builder().prefix("INV-").width(5).build();
 * Flux<String> ids = generator.values().map(invoices);
 * }</pre>
 *
 * <p>Identifiers of a fixed width sort like their numbers, so the identifiers of a counter cause
 * the same hotspot as the counter. To spread them, reverse the counter's bits first with {@link
 * BitReversal#PRESERVING_SIGN}, which returns no negative numbers. Reversed numbers need the full
 * width of the radix.
 *
 * <p>A number with more digits than the width is rejected. {@link #decode} accepts exactly the
 * texts that {@link #apply} returns: the same case, the same zeros, no spaces, and none of the
 * look-alikes that Crockford's notation allows.
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
   * {@return a builder for a format of decimal digits without prefix, fixed width or check digit}
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Formats a number.
   *
   * @return the prefix, the digits and the check digit, if there is one
   * @throws KeyFormatException if {@code key} is null, negative or has more digits than the width
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
      throw refused("begin with " + LogSafe.quote(prefix), value);
    }
    int end = value.length() - (checked ? 1 : 0);
    int length = end - prefix.length();
    if (width > 0 ? length != width : length < 1) {
      throw refused(
          "have "
              + (width > 0 ? width + " digits" : "digits")
              + (checked ? " and a check digit after " : " after ")
              + LogSafe.quote(prefix),
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
    return new KeyFormatException("identifier must " + rule + ", was " + LogSafe.quote(value));
  }

  @Override
  public String toString() {
    return "FormattedId[prefix="
        + LogSafe.quote(prefix)
        + ", radix="
        + alphabet.radix()
        + ", width="
        + width
        + ", checkDigit="
        + checked
        + "]";
  }

  /** Collects the parts of a format. Not thread-safe. */
  public static final class Builder {

    private String prefix = "";
    private Alphabet alphabet = Alphabet.ofRadix(10);
    private int width;
    private boolean checked;

    private Builder() {}

    /**
     * Sets the prefix of every identifier. Defaults to none.
     *
     * @param prefix any text; the check digit does not cover it
     * @throws IllegalArgumentException if {@code prefix} has an unpaired surrogate
     */
    public Builder prefix(String prefix) {
      this.prefix = KeyText.requireSetting("prefix", prefix);
      return this;
    }

    /**
     * Sets the radix. Defaults to 10.
     *
     * @param radix 10; 16 or 36, with letters in upper case; 32, Crockford's Base32 (crockford.com,
     *     "Base 32"), which omits I, L, O and U; or 62, with letters in upper case before those in
     *     lower case
     * @throws IllegalArgumentException if {@code radix} is none of these
     */
    public Builder radix(int radix) {
      alphabet = Alphabet.ofRadix(radix);
      return this;
    }

    /**
     * Sets the number of digits of every identifier, including leading zeros but not the check
     * digit. Defaults to 0: as many as the number needs.
     *
     * @param width from 0 to what {@link Long#MAX_VALUE} needs: 19 digits for radix 10, 16 for 16,
     *     13 for 32 and 36, 11 for 62
     * @throws IllegalArgumentException if {@code width} is negative; {@link #build}, which knows
     *     the radix, rejects a width that is too large
     */
    public Builder width(int width) {
      if (width < 0) {
        throw new IllegalArgumentException("width must be 0 or more, was " + width);
      }
      this.width = width;
      return this;
    }

    /**
     * Appends a check digit: the hybrid system MOD M+1,M of ISO/IEC 7064, where M is the radix, for
     * example MOD 37,36. It detects every single wrong digit and most transposed digits. Defaults
     * to none.
     */
    public Builder checkDigit() {
      checked = true;
      return this;
    }

    /**
     * Creates the codec.
     *
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
