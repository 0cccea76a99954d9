package io.millrace.advisor;

import io.millrace.advisor.TableDraft.Reference;
import io.millrace.advisor.grammar.DdlParser.ColumnChangeContext;
import io.millrace.advisor.grammar.DdlParser.ColumnContext;
import io.millrace.advisor.grammar.DdlParser.ColumnOptionsContext;
import io.millrace.advisor.grammar.DdlParser.ConstraintContext;
import io.millrace.advisor.grammar.DdlParser.GeneratedContext;
import io.millrace.advisor.grammar.DdlParser.GroupContext;
import io.millrace.advisor.grammar.DdlParser.IdentityContext;
import io.millrace.advisor.grammar.DdlParser.KeyPartContext;
import io.millrace.advisor.grammar.DdlParser.KeyPartsContext;
import io.millrace.advisor.grammar.DdlParser.NotNullContext;
import io.millrace.advisor.grammar.DdlParser.PrimaryKeyColumnContext;
import io.millrace.advisor.grammar.DdlParser.ReferencesContext;
import io.millrace.advisor.grammar.DdlParser.TableClauseContext;
import io.millrace.advisor.grammar.DdlParser.TtlContext;
import io.millrace.advisor.grammar.DdlParser.TypeContext;
import io.millrace.advisor.grammar.DdlParser.UnknownElementContext;
import io.millrace.advisor.grammar.DdlParser.UnknownOfColumnContext;
import io.millrace.advisor.grammar.DdlParser.UnknownOfTableContext;
import io.millrace.advisor.grammar.DdlParser.ValueContext;
import io.millrace.advisor.grammar.DdlParser.WithDefaultContext;
import io.millrace.advisor.grammar.DdlParserBaseVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** Reads what a statement says of one table: its columns, its constraints and its clauses. */
final class TableReader extends DdlParserBaseVisitor<@Nullable Void> {

  private static final Pattern COMMIT_TIMESTAMP =
      Pattern.compile("allow_commit_timestamp\\s*=\\s*(\\w+)", Pattern.CASE_INSENSITIVE);

  private final DdlStatement statement;
  private final DdlNames names;
  private final TableDraft table;
  private final Notes notes;

  /** The column whose clauses are read. */
  private ColumnDraft column = new ColumnDraft("", "");

  TableReader(DdlStatement statement, DdlNames names, TableDraft table, Notes notes) {
    this.statement = statement;
    this.names = names;
    this.table = table;
    this.notes = notes;
  }

  @Override
  public @Nullable Void visitColumn(ColumnContext definition) {
    String name = names.of(definition.name());
    if (table.column(name).isPresent()) {
      notes.add(
          statement,
          definition.getStart(),
          "the column " + name + " of " + table.name + " is there twice");
      return null;
    }
    column = new ColumnDraft(name, "");
    table.columns.add(column);
    type(definition.type());
    definition.columnClause().forEach(this::visit);
    return null;
  }

  private void type(TypeContext type) {
    column.type = names.of(type);
    column.commitTimestamp = column.type.equals("spanner.commit_timestamp");
    if (DdlNames.isSerial(type)) {
      column.spread = true;
      column.nullable = false;
    }
  }

  /** Changes a column that is there. A type and clauses define it anew. */
  void change(ColumnDraft changed, ColumnChangeContext change) {
    column = changed;
    if (change.value() != null) {
      column.defaultValue = expression(change.value());
    } else if (change.DEFAULT() != null) {
      column.defaultValue = null;
    } else if (change.NULL() != null) {
      column.nullable = change.DROP() != null;
    } else if (change.OPTIONS() != null) {
      options(change.group());
    } else if (change.TYPE() != null) {
      column.type = names.of(change.type());
    } else if (change.type() != null) {
      column.type = names.of(change.type());
      column.nullable = true;
      column.defaultValue = null;
      change.columnClause().forEach(this::visit);
    }
  }

  @Override
  public @Nullable Void visitNotNull(NotNullContext clause) {
    column.notNull();
    return null;
  }

  @Override
  public @Nullable Void visitWithDefault(WithDefaultContext clause) {
    column.defaultValue = expression(clause.value());
    return null;
  }

  private @Nullable String expression(ValueContext value) {
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
    column.stored = clause.STORED() != null;
    return null;
  }

  @Override
  public @Nullable Void visitColumnOptions(ColumnOptionsContext clause) {
    options(clause.group());
    return null;
  }

  private void options(GroupContext group) {
    Matcher option = COMMIT_TIMESTAMP.matcher(statement.text(group));
    if (option.find()) {
      column.commitTimestamp = option.group(1).equalsIgnoreCase("true");
    }
  }

  @Override
  public @Nullable Void visitPrimaryKeyColumn(PrimaryKeyColumnContext clause) {
    key(List.of(new KeyPart(column.name, false)), clause.PRIMARY());
    return null;
  }

  @Override
  public @Nullable Void visitReferences(ReferencesContext clause) {
    table.references.add(
        new Reference(
            clause.name() == null ? null : names.of(clause.name()),
            List.of(column.name),
            names.of(clause.path())));
    return null;
  }

  @Override
  public @Nullable Void visitConstraint(ConstraintContext constraint) {
    if (constraint.keyParts() != null) {
      key(parts(constraint.keyParts()), constraint.PRIMARY());
    } else if (constraint.FOREIGN() != null) {
      table.references.add(
          new Reference(
              constraint.name() == null ? null : names.of(constraint.name()),
              names.of(constraint.names(0)),
              names.of(constraint.path())));
    }
    return null;
  }

  private void key(List<KeyPart> parts, TerminalNode place) {
    table.key = parts;
    table.place = statement.place(place.getSymbol());
  }

  /** The columns, up to an expression. */
  List<KeyPart> parts(KeyPartsContext wanted) {
    List<KeyPart> parts = new ArrayList<>();
    for (KeyPartContext part : wanted.keyPart()) {
      if (part.name() == null) {
        break;
      }
      parts.add(new KeyPart(names.of(part.name()), part.DESC() != null));
    }
    return parts;
  }

  @Override
  public @Nullable Void visitTableClause(TableClauseContext clause) {
    if (clause.keyParts() != null) {
      key(parts(clause.keyParts()), clause.PRIMARY());
    } else if (clause.INTERLEAVE() != null) {
      table.parent = names.of(clause.path());
    } else if (clause.POLICY() != null) {
      deletionPolicy(clause.group());
    } else if (clause.ttl() != null) {
      deletionPolicy(clause.ttl());
    } else {
      visitChildren(clause);
    }
    return null;
  }

  void deletionPolicy(GroupContext policy) {
    table.deletionPolicy = within(policy).replace("`", "");
  }

  void deletionPolicy(TtlContext policy) {
    table.deletionPolicy = statement.text(policy).replace("\"", "");
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
