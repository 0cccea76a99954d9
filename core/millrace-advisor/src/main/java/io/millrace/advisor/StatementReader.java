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
import io.millrace.advisor.grammar.DdlParser.RenameTableContext;
import io.millrace.advisor.grammar.DdlParser.RenameToContext;
import io.millrace.advisor.grammar.DdlParser.RenamingContext;
import io.millrace.advisor.grammar.DdlParser.SetInterleaveContext;
import io.millrace.advisor.grammar.DdlParserBaseVisitor;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Applies a statement to the schema that the statements before it have defined. */
final class StatementReader extends DdlParserBaseVisitor<@Nullable Void> {

  private final DdlStatement statement;
  private final DdlDialect dialect;
  private final SchemaDraft schema;
  private final Notes notes;

  /** The table or the index that the statement creates. */
  private @Nullable String created;

  private boolean leftOut;

  StatementReader(DdlStatement statement, DdlDialect dialect, SchemaDraft schema, Notes notes) {
    this.statement = statement;
    this.dialect = dialect;
    this.schema = schema;
    this.notes = notes;
  }

  /** {@return whether the statement cannot be applied, which is noted} */
  boolean isLeftOut() {
    return leftOut;
  }

  private void leftOut(String because) {
    leftOut = true;
    notes.leftOut(statement, because);
  }

  /** {@return the table or the index that the statement creates, or null} */
  @Nullable String created() {
    return created;
  }

  @Override
  public @Nullable Void visitCreateTable(CreateTableContext creation) {
    String name = dialect.nameOf(creation.path());
    created = name;
    if (schema.table(name).isPresent()) {
      if (creation.ifNotExists() == null) {
        leftOut("there is a table " + name + " already");
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
    table(dialect.nameOf(drop.path()), drop.ifExists() != null).ifPresent(schema::drop);
    return null;
  }

  private Optional<TableDraft> table(String name, boolean mayBeMissing) {
    return noted(schema.table(name), "table " + name, mayBeMissing);
  }

  private Optional<IndexDraft> index(String name, boolean mayBeMissing) {
    return noted(schema.index(name), "index " + name, mayBeMissing);
  }

  /** A table or an index of the files; if it is not there, that is a note. */
  private <T> Optional<T> noted(Optional<T> found, String what, boolean mayBeMissing) {
    if (found.isEmpty() && !mayBeMissing) {
      leftOut("the files create no " + what);
    }
    return found;
  }

  @Override
  public @Nullable Void visitCreateIndex(CreateIndexContext creation) {
    boolean named = creation.path().size() == 2;
    String on = dialect.nameOf(creation.path(named ? 1 : 0));
    String name = named ? dialect.nameOf(creation.path(0)) : on + "_index";
    created = name;
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
        leftOut("there is an index " + name + " already");
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
    index(dialect.nameOf(change.path()), change.ifExists() != null)
        .ifPresent(index -> index.alterations().add(statement.text()));
    change.indexChange().stream()
        .filter(each -> each.unknownOfChange() != null)
        .forEach(each -> notes.leftOut(statement, each.getStart()));
    return null;
  }

  @Override
  public @Nullable Void visitDropIndex(DropIndexContext drop) {
    index(dialect.nameOf(drop.path()), drop.ifExists() != null).ifPresent(schema::drop);
    return null;
  }

  @Override
  public @Nullable Void visitRenameTable(RenameTableContext rename) {
    for (RenamingContext each : rename.renaming()) {
      table(dialect.nameOf(each.path(0)), false)
          .ifPresent(table -> rename(table, dialect.nameOf(each.path(1)), each.SYNONYM() != null));
    }
    return null;
  }

  /** Renames a table, or another that the alteration names. */
  private void rename(TableDraft table, RenameToContext rename) {
    boolean other = rename.path().size() == 2;
    (other ? table(dialect.nameOf(rename.path(0)), rename.ifExists() != null) : Optional.of(table))
        .ifPresent(
            named ->
                rename(
                    named,
                    dialect.nameOf(rename.path(other ? 1 : 0)),
                    !rename.SYNONYM().isEmpty()));
  }

  private void rename(TableDraft table, String name, boolean withSynonym) {
    String old = table.name;
    if (schema.table(name).filter(other -> other != table).isPresent()) {
      leftOut("there is a table " + name + " already");
      return;
    }
    schema.rename(table, name);
    if (withSynonym) {
      schema.addSynonym(table, old);
    }
  }

  @Override
  public @Nullable Void visitAlterTable(AlterTableContext change) {
    table(dialect.nameOf(change.path()), change.ifExists() != null)
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
            () -> leftOut("the table " + table.name + " has no column " + name));
  }
}
