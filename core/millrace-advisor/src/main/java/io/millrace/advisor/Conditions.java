package io.millrace.advisor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The conditions in an expression, which choose among values and are none. */
final class Conditions {

  private static final Pattern IS_NULL = Pattern.compile("[\\w.`\"]+\\s+is\\s+(not\\s+)?null");
  private static final Pattern CASE =
      Pattern.compile("\\b(case|when)\\b.*?\\bthen\\b", Pattern.DOTALL);
  private static final Pattern IF = Pattern.compile("\\bif\\s*\\(");

  private Conditions() {}

  /** An expression in lower case, without texts, of which only the values are left. */
  static String removedFrom(String expression) {
    String values = CASE.matcher(IS_NULL.matcher(expression).replaceAll("")).replaceAll("then");
    Matcher condition = IF.matcher(values);
    int from = 0;
    while (condition.find(from)) {
      from = condition.end();
      values = values.substring(0, from) + values.substring(endOfArgument(values, from));
      condition.reset(values);
    }
    return values;
  }

  private static int endOfArgument(String expression, int from) {
    int depth = 0;
    for (int i = from; i < expression.length(); i++) {
      char each = expression.charAt(i);
      if (depth == 0 && (each == ',' || each == ')')) {
        return i;
      }
      depth += each == '(' ? 1 : each == ')' ? -1 : 0;
    }
    return expression.length();
  }
}
