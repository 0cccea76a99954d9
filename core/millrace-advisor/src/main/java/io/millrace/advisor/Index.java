package io.millrace.advisor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index.
 *
 * @param name its name
 * @param unique whether two rows may have the same values
 * @param nullFiltered whether it leaves out the rows without a value
 * @param parent the table it is interleaved in, or null
 * @param withoutNull whether its first column is never null in the index, so that the index leaves
 *     rows without a value out, or there are none
 * @param parts its columns, in order
 * @param stored the columns that it only stores
 * @param place where a file creates it; null for a database
 */
record Index(
    String name,
    boolean unique,
    boolean nullFiltered,
    @Nullable String parent,
    boolean withoutNull,
    List<KeyPart> parts,
    List<String> stored,
    @Nullable Place place) {

  String first() {
    return parts.get(0).column();
  }
}
