package io.millrace.advisor;

import io.millrace.advisor.TableDraft.IndexDraft;
import io.millrace.advisor.grammar.DdlParser.AddColumnContext;
import io.millrace.advisor.grammar.DdlParser.AddConstraintContext;
import io.millrace.advisor.grammar.DdlParser.AddSynonymContext;
import io.millrace.advisor.grammar.DdlParser.AlterColumnContext;
import io.millrace.advisor.grammar.DdlParser.AlterIndexContext;
import io.millrace.advisor.grammar.DdlParser.AlterTableContext;
import io.millrace.advisor.grammar.DdlParser.AlterationContext;
import io.millrace.advisor.grammar.DdlParser.CreateIndexContext;
import io.millrace.advisor.grammar.DdlParser.CreateTableContext;
import io.millrace.advisor.grammar.DdlParser.DropColumnContext;
import io.millrace.advisor.grammar.DdlParser.DropConstraintContext;
import io.millrace.advisor.grammar.DdlParser.DropIndexContext;
import io.millrace.advisor.grammar.DdlParser.DropSynonymContext;
import io.millrace.advisor.grammar.DdlParser.DropTableContext;
import io.millrace.advisor.grammar.DdlParser.ElementContext;
import io.millrace.advisor.grammar.DdlParser.IndexClauseContext;
import io.millrace.advisor.grammar.DdlParser.PathContext;
import io.millrace.advisor.grammar.DdlParser.RenameTableContext;
import io.millrace.advisor.grammar.DdlParser.RenameToContext;
import io.millrace.advisor.grammar.DdlParser.RenamingContext;
import io.millrace.advisor.grammar.DdlParser.SetInterleaveContext;
import io.millrace.advisor.grammar.DdlParser.StatementContext;
import io.millrace.advisor.grammar.DdlParserBaseVisitor;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Applies a statement to the schema that the statements before it have defined. */
final class StatementReader extends DdlParserBaseVisitor<@Nullable Void> {

  private final DdlStatement statement;
  private final StatementContext parsed;
  private final DdlDialect dialect;
  private final SchemaDraft schema;
  private final Notes notes;

  /** The table or the index that the statement creates. */
  private @Nullable String created;

  /** The table or the index that is not there; nothing was applied. */
  private @Nullable String missing;

  private boolean mayBeMissing;

  StatementReader(
      DdlStatement statement,
      StatementContext parsed,
      DdlDialect dialect,
      SchemaDraft schema,
      Notes notes) {
    this.statement = statement;
    this.parsed = parsed;
    this.dialect = dialect;
    this.schema = schema;
    this.notes = notes;
  }

  /** {@return whether it is applied, and not to be applied again once there are more tables} */
  boolean apply() {
    missing = null;
    visit(parsed);
    if (missing != null) {
      return false;
    }
    if (created == null) {
      Suppression.refuse(statement);
    } else {
      schema.ignore(Suppression.in(statement, created));
    }
    return true;
  }

  /** Notes at the end of the files what it has waited for. */
  void noteMissing() {
    if (!mayBeMissing) {
      cannotJudge("the files create no " + missing);
    }
  }

  private void cannotJudge(String because) {
    notes.cannotJudge(statement, because);
  }

  @Override
  public @Nullable Void visitCreateTable(CreateTableContext creation) {
    String name = dialect.nameOf(creation.path());
    created = name;
    if (schema.table(name).isPresent()) {
      if (creation.ifNotExists() == null) {
        cannotJudge("there is a table " + name + " already");
      }
      return null;
    }
    TableDraft table = new TableDraft(name, statement.place(statement.first()), dialect);
    TableReader reader = new TableReader(statement, dialect, table, notes);
    reader.create(creation);
    schema.add(table);
    creation.element().stream()
        .map(ElementContext::path)
        .filter(Objects::nonNull)
        .forEach(synonym -> schema.addSynonym(table, dialect.nameOf(synonym)));
    return null;
  }

  @Override
  public @Nullable Void visitDropTable(DropTableContext drop) {
    schema.table(dialect.nameOf(drop.path())).ifPresent(schema::drop);
    return null;
  }

  private Optional<TableDraft> table(PathContext path, boolean mayBeMissing) {
    String name = dialect.nameOf(path);
    return awaited(schema.table(name), "table " + name, mayBeMissing);
  }

  /** The statement waits for a table or an index that is not there. */
  private <T> Optional<T> awaited(Optional<T> found, String what, boolean optional) {
    if (found.isEmpty()) {
      missing = what;
      mayBeMissing = optional;
    }
    return found;
  }

  @Override
  public @Nullable Void visitCreateIndex(CreateIndexContext creation) {
    boolean named = creation.path().size() == 2;
    PathContext on = creation.path(named ? 1 : 0);
    String name = named ? dialect.nameOf(creation.path(0)) : dialect.nameOf(on) + "_index";
    table(on, false).ifPresent(table -> index(table, qualified(name, table), creation));
    return null;
  }

  /** An index is in the schema of its table. */
  private static String qualified(String index, TableDraft table) {
    return table.name.substring(0, table.name.lastIndexOf('.') + 1)
        + index.substring(index.lastIndexOf('.') + 1);
  }

  private void index(TableDraft table, String name, CreateIndexContext creation) {
    created = name;
    if (schema.index(name).isPresent()) {
      if (creation.ifNotExists() == null) {
        cannotJudge("there is an index " + name + " already");
      }
      return;
    }
    String parent = null;
    for (IndexClauseContext clause : creation.indexClause()) {
      if (clause.INTERLEAVE() != null) {
        parent = dialect.nameOf(clause.path());
      } else if (clause.unknownOfIndex() != null) {
        notes.leftOut(statement, clause.getStart());
      }
    }
    Token tablesName = creation.path(creation.path().size() - 1).getStart();
    schema.add(
        table,
        new IndexDraft(
            name,
            !creation.UNIQUE().isEmpty(),
            parent,
            new TableReader(statement, dialect, table, notes).parts(creation.keyParts()),
            statement.textBefore(tablesName),
            statement.textBehind(creation.keyParts().getStart()),
            new ArrayList<>(),
            statement.place(statement.first())));
  }

  @Override
  public @Nullable Void visitAlterIndex(AlterIndexContext change) {
    String name = dialect.nameOf(change.path());
    awaited(schema.index(name), "index " + name, change.ifExists() != null)
        .ifPresent(
            index -> {
              index.alterations().add(statement.text());
              change.indexChange().stream()
                  .filter(each -> each.unknownOfChange() != null)
                  .forEach(each -> notes.leftOut(statement, each.getStart()));
            });
    return null;
  }

  @Override
  public @Nullable Void visitDropIndex(DropIndexContext drop) {
    schema.index(dialect.nameOf(drop.path())).ifPresent(schema::drop);
    return null;
  }

  @Override
  public @Nullable Void visitRenameTable(RenameTableContext rename) {
    table(rename.renaming(0).path(0), false)
        .ifPresent(
            first -> {
              for (RenamingContext each : rename.renaming()) {
                rename(each.path(0), each.path(1), false, each.SYNONYM() != null);
              }
            });
    return null;
  }

  /** Renames a table, or another that the alteration names. */
  private void rename(TableDraft table, RenameToContext rename) {
    boolean withSynonym = !rename.SYNONYM().isEmpty();
    if (rename.path().size() == 2) {
      rename(rename.path(0), rename.path(1), rename.ifExists() != null, withSynonym);
    } else {
      rename(table, dialect.nameOf(rename.path(0)), withSynonym);
    }
  }

  private void rename(PathContext path, PathContext to, boolean optional, boolean withSynonym) {
    String name = dialect.nameOf(path);
    Optional<TableDraft> table = schema.table(name);
    table.ifPresent(found -> rename(found, dialect.nameOf(to), withSynonym));
    if (table.isEmpty() && !optional) {
      cannotJudge("the files create no table " + name);
    }
  }

  private void rename(TableDraft table, String name, boolean withSynonym) {
    String old = table.name;
    if (schema.table(name).filter(other -> other != table).isPresent()) {
      cannotJudge("there is a table " + name + " already");
      return;
    }
    schema.rename(table, name);
    if (withSynonym) {
      schema.addSynonym(table, old);
    }
  }

  @Override
  public @Nullable Void visitAlterTable(AlterTableContext change) {
    table(change.path(), change.ifExists() != null)
        .ifPresent(table -> change.alteration().forEach(each -> alter(table, each)));
    return null;
  }

  private void alter(TableDraft table, AlterationContext alteration) {
    TableReader reader = new TableReader(statement, dialect, table, notes);
    if (alteration instanceof AddColumnContext add) {
      if (add.ifNotExists() == null
          || table.column(dialect.nameOf(add.column().name())).isEmpty()) {
        reader.visit(add.column());
      }
    } else if (alteration instanceof DropColumnContext drop) {
      table.columns.removeIf(column -> dialect.same(column.name, dialect.nameOf(drop.name())));
    } else if (alteration instanceof AlterColumnContext change) {
      changeColumn(table, reader, change);
    } else if (alteration instanceof AddConstraintContext add) {
      reader.visit(add.constraint());
    } else if (alteration instanceof DropConstraintContext drop) {
      String name = dialect.nameOf(drop.name());
      table.references.removeIf(each -> each.name() != null && dialect.same(each.name(), name));
    } else if (alteration instanceof SetInterleaveContext interleave) {
      table.parent = dialect.nameOf(interleave.path());
    } else if (alteration instanceof AddSynonymContext add) {
      schema.addSynonym(table, dialect.nameOf(add.path()));
    } else if (alteration instanceof DropSynonymContext drop) {
      schema.dropSynonym(dialect.nameOf(drop.path()));
    } else if (alteration instanceof RenameToContext rename) {
      rename(table, rename);
    } else {
      reader.visit(alteration);
    }
  }

  private void changeColumn(TableDraft table, TableReader reader, AlterColumnContext change) {
    String name =
        change.name() != null
            ? dialect.nameOf(change.name())
            : dialect.nameOf(change.columnName().getStart());
    table
        .column(name)
        .ifPresentOrElse(
            column -> reader.change(column, change.columnChange()),
            () -> cannotJudge("the table " + table.name + " has no column " + name));
  }
}
