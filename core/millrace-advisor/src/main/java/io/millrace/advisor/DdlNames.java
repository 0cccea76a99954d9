package io.millrace.advisor;

import static java.util.Map.entry;

import io.millrace.advisor.grammar.DdlParser.GroupContext;
import io.millrace.advisor.grammar.DdlParser.NameContext;
import io.millrace.advisor.grammar.DdlParser.NamesContext;
import io.millrace.advisor.grammar.DdlParser.PathContext;
import io.millrace.advisor.grammar.DdlParser.TypeArgumentContext;
import io.millrace.advisor.grammar.DdlParser.TypeContext;
import io.millrace.advisor.grammar.DdlParser.TypeNameContext;
import io.millrace.advisor.grammar.GoogleSqlLexer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;

/**
 * The names of a dialect, as Spanner's {@code INFORMATION_SCHEMA} writes them. GoogleSQL keeps the
 * case of a name and ignores it when it looks for the name; PostgreSQL folds names without quotes
 * to lower case.
 */
record DdlNames(DdlDialect dialect) {

  private static final String DEFAULT_SCHEMA = "public.";

  private static final Pattern HEXADECIMAL = Pattern.compile("\\((0[xX][0-9a-fA-F]{1,8})\\)");

  private static final Map<String, String> POSTGRESQL_TYPES =
      Map.ofEntries(
          entry("bool", "boolean"),
          entry("int", "bigint"),
          entry("int8", "bigint"),
          entry("integer", "bigint"),
          entry("serial", "bigint"),
          entry("serial8", "bigint"),
          entry("bigserial", "bigint"),
          entry("float8", "double precision"),
          entry("float4", "real"),
          entry("decimal", "numeric"),
          entry("text", "character varying"),
          entry("varchar", "character varying"),
          entry("timestamptz", "timestamp with time zone"));

  /** Whatever else is a type's name is one of a proto bundle, whose case counts. */
  private static final Set<String> GOOGLESQL_TYPES =
      Set.of(
          "ARRAY",
          "BOOL",
          "BYTES",
          "DATE",
          "FLOAT32",
          "FLOAT64",
          "INT64",
          "INTERVAL",
          "JSON",
          "NUMERIC",
          "STRING",
          "STRUCT",
          "TIMESTAMP",
          "TOKENLIST",
          "UUID");

  boolean postgreSql() {
    return dialect == DdlDialect.POSTGRESQL;
  }

  String quoted(String column) {
    return dialect.catalog().quoteColumn(column);
  }

  String quotedTable(String table) {
    return dialect.catalog().quote(table);
  }

  String of(NameContext name) {
    return of(name.getStart());
  }

  String of(Token word) {
    String text = word.getText();
    if (word.getType() != GoogleSqlLexer.QUOTED) {
      return postgreSql() ? text.toLowerCase(Locale.ROOT) : text;
    }
    String quote = text.substring(0, 1);
    return text.substring(1, text.length() - 1).replace(quote + quote, quote);
  }

  List<String> of(NamesContext names) {
    return names.name().stream().map(this::of).toList();
  }

  /** The name of a table or an index, with its schema before it unless that is the default one. */
  String of(PathContext path) {
    String name = path.name().stream().map(this::of).collect(Collectors.joining("."));
    return postgreSql() && name.startsWith(DEFAULT_SCHEMA)
        ? name.substring(DEFAULT_SCHEMA.length())
        : name;
  }

  /** What names of the same thing have in common. */
  String key(String name) {
    return dialect.catalog().key(name);
  }

  boolean same(String one, String other) {
    return postgreSql() ? one.equals(other) : one.equalsIgnoreCase(other);
  }

  String of(TypeContext type) {
    StringBuilder text = new StringBuilder(of(type.typeName()));
    if (type.VARYING() != null || type.PRECISION() != null) {
      text.append(type.VARYING() != null ? " varying" : " precision");
    }
    if (type.typeArguments() != null) {
      text.append(
          type.typeArguments().typeArgument().stream()
              .map(this::argument)
              .collect(Collectors.joining(", ", "<", ">")));
    }
    if (type.group() != null) {
      text.append(length(type.group()));
    }
    if (type.ZONE() != null) {
      text.append(type.WITH() != null ? " with time zone" : " without time zone");
    }
    return text + "[]".repeat(type.OPEN_BRACKET().size() + type.ARRAY().size());
  }

  private String of(TypeNameContext name) {
    String text = name.getText();
    if (postgreSql()) {
      String lower = text.toLowerCase(Locale.ROOT);
      return POSTGRESQL_TYPES.getOrDefault(lower, lower);
    }
    String upper = text.toUpperCase(Locale.ROOT);
    return GOOGLESQL_TYPES.contains(upper) ? upper : text;
  }

  private String argument(TypeArgumentContext argument) {
    return (argument.name() == null ? "" : argument.name().getText() + " ") + of(argument.type());
  }

  private static String length(GroupContext group) {
    String text = group.children.stream().map(ParseTree::getText).collect(Collectors.joining());
    if (text.equalsIgnoreCase("(max)")) {
      return "(MAX)";
    }
    Matcher hexadecimal = HEXADECIMAL.matcher(text);
    return hexadecimal.matches() ? "(" + Long.decode(hexadecimal.group(1)) + ")" : text;
  }

  /** Whether a type of PostgreSQL has a sequence of its own. */
  static boolean isSerial(TypeContext type) {
    return type.getText().toLowerCase(Locale.ROOT).matches("(big)?serial8?");
  }
}
