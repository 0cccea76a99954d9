package io.millrace.advisor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index.
 *
 * @param name its name
 * @param unique whether no two rows may have the same values
 * @param parent the table it is interleaved in, or null
 * @param parts its columns, in order, up to an expression
 * @param head its statement up to the name of the table
 * @param rest its statement behind the parenthesis before its columns
 * @param alterations the statements that alter it
 * @param place where a file creates it
 */
record Index(
    String name,
    boolean unique,
    @Nullable String parent,
    List<KeyPart> parts,
    String head,
    String rest,
    List<String> alterations,
    Place place) {

  String first() {
    return parts.get(0).column();
  }
}
