package io.millrace.advise;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What a run of the tool printed.
 *
 * @param status its exit status
 * @param out its output
 * @param err its errors
 */
record Running(int status, String out, String err) {

  static Running advise(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Advise.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Running(status, out.toString(), err.toString());
  }
}
