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
 * @param parts its columns, in order, up to an expression
 * @param rest the parts behind these, as they are written
 * @param stored the columns that it only stores
 * @param clauses what else a statement says behind its columns, such as which rows it leaves out
 * @param alterations what is to be altered once the index is there, behind {@code ALTER INDEX} and
 *     the name
 * @param place where a file creates it; null for a database
 */
record Index(
    String name,
    boolean unique,
    boolean nullFiltered,
    @Nullable String parent,
    List<KeyPart> parts,
    List<String> rest,
    List<String> stored,
    List<String> clauses,
    List<String> alterations,
    @Nullable Place place) {

  String first() {
    return parts.get(0).column();
  }
}
