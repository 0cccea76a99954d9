package io.millrace.databases;

import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Creates the databases of {@link OnDatabases}, each when its turn comes. */
final class DatabaseSource extends AnnotationBasedArgumentsProvider<OnDatabases> {

  @Override
  protected Stream<? extends Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context, OnDatabases wanted) {
    boolean isLong = !"long".equals(System.getProperty("test.excluded", "long"));
    return Stream.concat(
            Stream.of(wanted.value()), isLong ? Stream.of(wanted.also()) : Stream.empty())
        .filter(kind -> isAvailable(kind, context))
        .map(kind -> Arguments.of(Named.of(kind.name(), kind.create())));
  }

  private static boolean isAvailable(DatabaseKind kind, ExtensionContext context) {
    String absence = kind.absence();
    if (absence != null) {
      System.out.println("Skipped: " + context.getDisplayName() + " on " + kind + ": " + absence);
    }
    return absence == null;
  }
}
