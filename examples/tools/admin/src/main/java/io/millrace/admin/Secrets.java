package io.millrace.admin;

import java.util.regex.Pattern;

/** Hides passwords in text that is printed. */
public final class Secrets {

  private static final Pattern USER =
      Pattern.compile("(r2dbcs?:[^\\s'\"]*?//[^:@\\s/]*:)[^\\s'\"]*@");
  private static final Pattern PARAMETER =
      Pattern.compile(
          "(?i)([?&;][^=&;\\s]*(?:password|secret|token|credentials|key)[^=&;\\s]*=)[^&;\\s'\"]*");

  private Secrets() {}

  public static String hidden(String text) {
    return PARAMETER.matcher(USER.matcher(text).replaceAll("$1***@")).replaceAll("$1***");
  }
}
