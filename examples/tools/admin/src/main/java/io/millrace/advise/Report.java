package io.millrace.advise;

import io.millrace.advisor.Advice;
import io.millrace.advisor.Finding;
import java.util.List;
import java.util.Optional;

/**
 * What is printed.
 *
 * @param advice what was found
 * @param notes what could not be looked at, in sentences
 * @param files the files the schema is from; empty for a database
 */
record Report(Advice advice, List<String> notes, List<DdlFile> files) {

  Optional<DdlFile.Place> place(Finding finding) {
    return files.stream().map(file -> file.find(finding)).flatMap(Optional::stream).findFirst();
  }
}
