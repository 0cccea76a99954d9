package io.millrace.advisor;

import io.millrace.advisor.grammar.DdlParser;
import io.millrace.advisor.grammar.DdlParser.StatementContext;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;

/**
 * Parses a statement, and passes by the parts that it does not understand: an element of a table, a
 * clause or an alteration. If an error is in none of these, the whole statement has failed: its
 * {@code exception} is set.
 */
final class TolerantParsing extends DefaultErrorStrategy {

  /** Of these, only the first word is passed by: the rest may be clauses again. */
  private static final Set<Integer> CLAUSES =
      Set.of(DdlParser.RULE_columnClause, DdlParser.RULE_tableClause, DdlParser.RULE_indexClause);

  /** These end at a comma. */
  private static final Set<Integer> LISTED =
      Set.of(DdlParser.RULE_element, DdlParser.RULE_alteration);

  private final Consumer<Token> passedBy;

  private TolerantParsing(Consumer<Token> passedBy) {
    this.passedBy = passedBy;
  }

  /**
   * Parses a statement.
   *
   * @param words the statement without space and comments
   * @param passedBy takes the first word of each part that is not understood
   */
  static StatementContext parse(List<Token> words, Consumer<Token> passedBy) {
    DdlParser parser = new DdlParser(new CommonTokenStream(new ListTokenSource(words)));
    parser.removeErrorListeners();
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    parser.setErrorHandler(new TolerantParsing(passedBy));
    return parser.statement();
  }

  @Override
  public void recover(Parser parser, RecognitionException error) {
    ParserRuleContext part = parser.getContext();
    if (part instanceof StatementContext) {
      return;
    }
    if (!CLAUSES.contains(part.getRuleIndex()) && !LISTED.contains(part.getRuleIndex())) {
      throw error;
    }
    passedBy.accept(part.getStart());
    part.getParent().removeLastChild();
    parser.getInputStream().seek(part.getStart().getTokenIndex());
    if (CLAUSES.contains(part.getRuleIndex())) {
      parser.consume();
    } else {
      skipToComma(parser);
    }
  }

  private static void skipToComma(Parser parser) {
    int depth = 0;
    for (int next = next(parser); next != Token.EOF; next = next(parser)) {
      if (depth == 0 && (next == DdlParser.COMMA || next == DdlParser.CLOSE)) {
        return;
      }
      depth += next == DdlParser.OPEN ? 1 : next == DdlParser.CLOSE ? -1 : 0;
      parser.consume();
    }
  }

  private static int next(Parser parser) {
    return parser.getInputStream().LA(1);
  }

  /** A word is neither invented nor dropped. */
  @Override
  public Token recoverInline(Parser parser) {
    throw new InputMismatchException(parser);
  }

  @Override
  public void sync(Parser parser) {}
}
