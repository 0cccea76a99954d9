package io.millrace.advisor;

import io.millrace.advisor.TableDraft.Constraint;
import io.millrace.advisor.TableDraft.Part;
import io.millrace.advisor.TolerantParsing.NotUnderstood;
import io.millrace.advisor.grammar.DdlParser.CheckContext;
import io.millrace.advisor.grammar.DdlParser.ColumnChangeContext;
import io.millrace.advisor.grammar.DdlParser.ColumnClauseContext;
import io.millrace.advisor.grammar.DdlParser.ColumnContext;
import io.millrace.advisor.grammar.DdlParser.ColumnOptionsContext;
import io.millrace.advisor.grammar.DdlParser.ConstraintContext;
import io.millrace.advisor.grammar.DdlParser.CreateTableContext;
import io.millrace.advisor.grammar.DdlParser.ElementContext;
import io.millrace.advisor.grammar.DdlParser.GeneratedContext;
import io.millrace.advisor.grammar.DdlParser.GroupContext;
import io.millrace.advisor.grammar.DdlParser.IdentityContext;
import io.millrace.advisor.grammar.DdlParser.KeyPartContext;
import io.millrace.advisor.grammar.DdlParser.KeyPartsContext;
import io.millrace.advisor.grammar.DdlParser.NameContext;
import io.millrace.advisor.grammar.DdlParser.NotNullContext;
import io.millrace.advisor.grammar.DdlParser.OnUpdateContext;
import io.millrace.advisor.grammar.DdlParser.OtherOfColumnContext;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
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

  /** Whether the last clause of the table may go on. */
  private boolean continued;

  TableReader(DdlStatement statement, DdlNames names, TableDraft table, Notes notes) {
    this.statement = statement;
    this.names = names;
    this.table = table;
    this.notes = notes;
  }

  void create(CreateTableContext creation) {
    int end = creation.CLOSE().getSymbol().getTokenIndex();
    for (ParseTree part : creation.children) {
      if (part instanceof ElementContext || part instanceof TableClauseContext) {
        visit(part);
      } else if (part instanceof NotUnderstood unknown) {
        String text = statement.text(unknown);
        if (unknown.getStart().getTokenIndex() > end) {
          clause(text);
        } else {
          table.constraints.add(new Constraint(null, text));
        }
      }
    }
    if (names.postgreSql()) {
      table.columns.stream()
          .filter(each -> table.key.stream().anyMatch(part -> each.name.equals(part.column())))
          .forEach(ColumnDraft::notNull);
    }
  }

  @Override
  public @Nullable Void visitElement(ElementContext element) {
    if (element.path() != null || element.unknownElement() != null) {
      table.constraints.add(new Constraint(null, statement.text(element)));
    }
    return visitChildren(element);
  }

  private void clause(String text) {
    if (continued) {
      text = table.clauses.remove(table.clauses.size() - 1) + " " + text;
    }
    table.clauses.add(text);
    continued = true;
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
    clauses(definition);
    return null;
  }

  private void type(TypeContext type) {
    column.type = names.of(type);
    column.commitTimestamp = column.type.equals("spanner.commit_timestamp");
    if (DdlNames.isSerial(type)) {
      column.spread = true;
      column.nullable = false;
      column.clauses.put(IdentityContext.class, "GENERATED BY DEFAULT AS IDENTITY");
    }
  }

  private void clauses(ParserRuleContext definition) {
    for (ParseTree part : definition.children) {
      if (part instanceof ColumnClauseContext) {
        visit(part);
      } else if (part instanceof NotUnderstood unknown) {
        keep(statement.text(unknown), unknown);
      }
    }
  }

  private void keep(Object kind, ParserRuleContext clause) {
    column.clauses.put(kind, statement.text(clause));
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
    } else if (change.OPTIONS() != null || change.UPDATE() != null || change.IDENTITY() != null) {
      column.alterations.add(
          "ALTER COLUMN " + names.quoted(column.name) + " " + statement.text(change));
      if (change.OPTIONS() != null) {
        options(change.group());
      }
    } else if (change.TYPE() != null) {
      column.type = names.of(change.type());
    } else if (change.type() != null) {
      column.type = names.of(change.type());
      column.nullable = true;
      column.defaultValue = null;
      clauses(change);
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
    keep(IdentityContext.class, clause);
    return null;
  }

  @Override
  public @Nullable Void visitOnUpdate(OnUpdateContext clause) {
    keep(OnUpdateContext.class, clause);
    return null;
  }

  @Override
  public @Nullable Void visitOtherOfColumn(OtherOfColumnContext clause) {
    keep(statement.text(clause), clause);
    return visitChildren(clause);
  }

  @Override
  public @Nullable Void visitGenerated(GeneratedContext clause) {
    column.generated = within(clause.group());
    keep(GeneratedContext.class, clause);
    return null;
  }

  @Override
  public @Nullable Void visitColumnOptions(ColumnOptionsContext clause) {
    options(clause.group());
    keep(ColumnOptionsContext.class, clause);
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
    key(List.of(new Part(column.name, false, "", names.quoted(column.name))), clause.PRIMARY());
    return null;
  }

  /** Written as a constraint of the table, which may be dropped by its name. */
  @Override
  public @Nullable Void visitReferences(ReferencesContext clause) {
    String constraint = statement.textBefore(clause, clause.REFERENCES().getSymbol());
    String columns = "FOREIGN KEY (" + names.quoted(column.name) + ") REFERENCES ";
    refer(
        clause,
        clause.name(),
        List.of(column.name),
        (constraint + " " + columns).stripLeading(),
        clause.path());
    return null;
  }

  private void refer(
      ParserRuleContext constraint,
      @Nullable NameContext name,
      List<String> columns,
      String text,
      PathContext other) {
    table.constraints.add(
        new Constraint(
            nameOf(name),
            columns,
            names.of(other),
            text,
            " " + statement.textBehind(other.getStop(), constraint)));
  }

  @Override
  public @Nullable Void visitCheck(CheckContext clause) {
    table.constraints.add(new Constraint(nameOf(clause.name()), statement.text(clause)));
    return null;
  }

  private @Nullable String nameOf(@Nullable NameContext name) {
    return name == null ? null : names.of(name);
  }

  @Override
  public @Nullable Void visitConstraint(ConstraintContext constraint) {
    if (constraint.keyParts() != null) {
      key(parts(constraint.keyParts()), constraint.PRIMARY());
    } else if (constraint.FOREIGN() != null) {
      refer(
          constraint,
          constraint.name(),
          names.of(constraint.names(0)),
          statement.textBefore(constraint, constraint.path().getStart()) + " ",
          constraint.path());
    } else {
      table.constraints.add(new Constraint(nameOf(constraint.name()), statement.text(constraint)));
    }
    return null;
  }

  /**
   * The emulator writes its column without quotes; those of PostgreSQL have a case of their own.
   */
  void deletionPolicy(String policy) {
    table.deletionPolicy =
        names.postgreSql() ? policy : names.dialect().catalog().quotePolicy(policy);
  }

  private void key(List<Part> parts, TerminalNode place) {
    table.key = parts;
    table.place = statement.place(place.getSymbol());
  }

  List<Part> parts(KeyPartsContext wanted) {
    List<Part> parts = new ArrayList<>();
    for (KeyPartContext part : wanted.keyPart()) {
      boolean isExpression = part.name() == null;
      parts.add(
          new Part(
              isExpression ? null : names.of(part.name()),
              part.DESC() != null,
              part.NULLS() == null ? "" : part.FIRST() != null ? " NULLS FIRST" : " NULLS LAST",
              statement.text(part)));
    }
    return parts;
  }

  @Override
  public @Nullable Void visitTableClause(TableClauseContext clause) {
    boolean understood = true;
    if (clause.keyParts() != null) {
      key(parts(clause.keyParts()), clause.PRIMARY());
    } else if (clause.INTERLEAVE() != null) {
      table.parent = names.of(clause.path());
    } else if (clause.POLICY() != null || clause.ttl() != null) {
      deletionPolicy(statement.text(clause));
    } else if (clause.COMMA() == null) {
      understood = false;
      clause(statement.text(clause));
      visitChildren(clause);
    }
    continued = !understood;
    return null;
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
