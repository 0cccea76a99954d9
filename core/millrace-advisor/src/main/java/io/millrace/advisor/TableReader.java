package io.millrace.advisor;

import io.millrace.advisor.TableDraft.Part;
import io.millrace.advisor.TableDraft.Reference;
import io.millrace.advisor.grammar.DdlParser.ColumnChangeContext;
import io.millrace.advisor.grammar.DdlParser.ColumnContext;
import io.millrace.advisor.grammar.DdlParser.ConstraintContext;
import io.millrace.advisor.grammar.DdlParser.CreateTableContext;
import io.millrace.advisor.grammar.DdlParser.GeneratedContext;
import io.millrace.advisor.grammar.DdlParser.GroupContext;
import io.millrace.advisor.grammar.DdlParser.IdentityContext;
import io.millrace.advisor.grammar.DdlParser.KeyPartContext;
import io.millrace.advisor.grammar.DdlParser.KeyPartsContext;
import io.millrace.advisor.grammar.DdlParser.NameContext;
import io.millrace.advisor.grammar.DdlParser.OptionContext;
import io.millrace.advisor.grammar.DdlParser.PathContext;
import io.millrace.advisor.grammar.DdlParser.PrimaryKeyColumnContext;
import io.millrace.advisor.grammar.DdlParser.ReferencesContext;
import io.millrace.advisor.grammar.DdlParser.TableClauseContext;
import io.millrace.advisor.grammar.DdlParser.TypeContext;
import io.millrace.advisor.grammar.DdlParser.UnknownElementContext;
import io.millrace.advisor.grammar.DdlParser.UnknownOfColumnContext;
import io.millrace.advisor.grammar.DdlParser.UnknownOfTableContext;
import io.millrace.advisor.grammar.DdlParser.ValueContext;
import io.millrace.advisor.grammar.DdlParser.WithDefaultContext;
import io.millrace.advisor.grammar.DdlParserBaseVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** Reads what a statement says of one table: its columns, its key and what they refer to. */
final class TableReader extends DdlParserBaseVisitor<@Nullable Void> {

  private final DdlStatement statement;
  private final DdlDialect dialect;
  private final TableDraft table;
  private final Notes notes;

  /** The column whose clauses are read. */
  private ColumnDraft column = new ColumnDraft("", "");

  TableReader(DdlStatement statement, DdlDialect dialect, TableDraft table, Notes notes) {
    this.statement = statement;
    this.dialect = dialect;
    this.table = table;
    this.notes = notes;
  }

  void create(CreateTableContext creation) {
    creation.element().forEach(this::visit);
    creation.tableClause().forEach(this::visit);
  }

  @Override
  public @Nullable Void visitColumn(ColumnContext definition) {
    String name = dialect.nameOf(definition.name());
    if (table.column(name).isPresent()) {
      notes.add(
          statement,
          definition.getStart(),
          "the column " + name + " of " + table.name + " is there twice");
      return null;
    }
    column = new ColumnDraft(name, type(definition.type()));
    column.spread = isSerial(definition.type());
    table.columns.add(column);
    definition.columnClause().forEach(this::visit);
    return null;
  }

  private String type(TypeContext type) {
    return statement.text(type).replaceAll("\\s*([(<>),])\\s*", "$1");
  }

  /** Whether a type of PostgreSQL has a sequence of its own. */
  private static boolean isSerial(TypeContext type) {
    return type.getText().toLowerCase(Locale.ROOT).matches("(big)?serial8?");
  }

  /** Changes a column that is there. */
  void change(ColumnDraft changed, ColumnChangeContext change) {
    column = changed;
    if (change.UPDATE() != null) {
      return;
    }
    if (change.DEFAULT() != null) {
      column.defaultValue = change.value() == null ? null : expression(change.value());
    } else if (change.optionList() != null) {
      visit(change.optionList());
    } else if (change.TYPE() != null) {
      column.type = type(change.type());
    } else if (change.type() != null && !dialect.isPostgreSql()) {
      column.type = type(change.type());
      column.defaultValue = null;
      change.columnClause().forEach(this::visit);
    } else if (change.NULL() == null && change.sequenceChange() == null) {
      notes.leftOut(statement, change.getStart());
    }
  }

  @Override
  public @Nullable Void visitWithDefault(WithDefaultContext clause) {
    column.defaultValue = expression(clause.value());
    return null;
  }

  private String expression(ValueContext value) {
    if (value.NULL() != null) {
      return "NULL";
    }
    UnknownOfColumnContext expression = value.unknownOfColumn();
    return expression.getChildCount() == 1 && expression.group(0) != null
        ? within(expression.group(0))
        : statement.text(expression);
  }

  /** What is between parentheses. */
  private String within(GroupContext group) {
    String text = statement.text(group);
    return text.substring(1, text.length() - 1).strip();
  }

  @Override
  public @Nullable Void visitIdentity(IdentityContext clause) {
    column.spread = true;
    return null;
  }

  @Override
  public @Nullable Void visitGenerated(GeneratedContext clause) {
    column.generated = within(clause.group());
    return null;
  }

  /** Null stands for the default, as if the option had never been set. */
  @Override
  public @Nullable Void visitOption(OptionContext option) {
    if (dialect.nameOf(option.name()).equalsIgnoreCase("allow_commit_timestamp")) {
      column.commitTimestamp =
          option.optionValue() != null
              && statement.text(option.optionValue()).equalsIgnoreCase("true");
    }
    return null;
  }

  @Override
  public @Nullable Void visitPrimaryKeyColumn(PrimaryKeyColumnContext clause) {
    key(List.of(new Part(column.name, false)), clause.PRIMARY());
    return null;
  }

  @Override
  public @Nullable Void visitReferences(ReferencesContext clause) {
    refer(clause.name(), List.of(column.name), clause.path());
    return null;
  }

  private void refer(@Nullable NameContext name, List<String> columns, PathContext other) {
    table.references.add(
        new Reference(name == null ? null : dialect.nameOf(name), columns, dialect.nameOf(other)));
  }

  @Override
  public @Nullable Void visitConstraint(ConstraintContext constraint) {
    if (constraint.keyParts() != null) {
      key(parts(constraint.keyParts()), constraint.PRIMARY());
    } else if (constraint.FOREIGN() != null) {
      refer(constraint.name(), dialect.namesOf(constraint.names(0)), constraint.path());
    }
    return null;
  }

  private void key(List<Part> parts, TerminalNode place) {
    table.key = parts;
    table.place = statement.place(place.getSymbol());
  }

  List<Part> parts(KeyPartsContext wanted) {
    List<Part> parts = new ArrayList<>();
    for (KeyPartContext part : wanted.keyPart()) {
      parts.add(
          new Part(part.name() == null ? null : dialect.nameOf(part.name()), part.DESC() != null));
    }
    return parts;
  }

  @Override
  public @Nullable Void visitTableClause(TableClauseContext clause) {
    if (clause.keyParts() != null) {
      key(parts(clause.keyParts()), clause.PRIMARY());
    } else if (clause.INTERLEAVE() != null) {
      table.parent = dialect.nameOf(clause.path());
    }
    return visitChildren(clause);
  }

  @Override
  public @Nullable Void visitUnknownElement(UnknownElementContext element) {
    notes.leftOut(statement, element.getStart());
    return null;
  }

  @Override
  public @Nullable Void visitUnknownOfColumn(UnknownOfColumnContext clause) {
    notes.leftOut(statement, clause.getStart());
    return null;
  }

  @Override
  public @Nullable Void visitUnknownOfTable(UnknownOfTableContext clause) {
    notes.leftOut(statement, clause.getStart());
    return null;
  }
}
