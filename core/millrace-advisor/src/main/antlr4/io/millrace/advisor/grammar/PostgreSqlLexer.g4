lexer grammar PostgreSqlLexer;

// The tokens have the same numbers in both lexers.
options { caseInsensitive = true; tokenVocab = GoogleSqlLexer; }

import Words;

channels { COMMENTS }

@members {
  private String opening = "";
}

COMMENT
    : ( '--' ~[\r\n]*
      | NESTED
      ) -> channel(COMMENTS)
    ;

TEXT
    : '\'' ( ~'\'' | '\'\'' )* '\''
    | 'E\'' ( '\\' . | ~['\\] | '\'\'' )* '\''
    ;

QUOTED
    : '"' ( ~'"' | '""' )+ '"'
    | '`' ~[`\r\n]+ '`' // a name of the other dialect, whose use the reader reports
    ;

DOLLAR : TAG { opening = getText(); } -> more, mode(DOLLAR_QUOTED) ;

fragment NESTED : '/*' ( NESTED | . )*? ( '*/' | EOF ) ;

fragment TAG : '$' ( [\p{L}_] [\p{L}\p{N}_]* )? '$' ;

mode DOLLAR_QUOTED;

DOLLAR_TEXT : TAG { getText().endsWith(opening) }? -> type(TEXT), mode(DEFAULT_MODE) ;

DOLLAR_MORE : . -> more ;
