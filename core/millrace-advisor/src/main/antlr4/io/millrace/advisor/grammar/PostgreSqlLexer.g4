lexer grammar PostgreSqlLexer;

// The tokens have the same numbers in both lexers.
options { caseInsensitive = true; tokenVocab = GoogleSqlLexer; }

import Words;

channels { COMMENTS }

@members {
  private String openingTag = "";
}

COMMENT : '--' ~[\r\n]* -> channel(COMMENTS) ;

COMMENT_OPEN : '/*' -> more, pushMode(IN_COMMENT) ;

TEXT
    : '\'' ( ~'\'' | '\'\'' )* '\''
    | 'E\'' ( '\\' . | ~['\\] | '\'\'' )* '\''
    ;

TEXT_OPEN : TAG { openingTag = getText(); } -> more, mode(IN_DOLLARS) ;

fragment TAG : '$' ( [\p{L}_] [\p{L}\p{N}_]* )? '$' ;

// Between backticks is a name of the other dialect, which is recognised to be refused.
QUOTED
    : '"' ( ~'"' | '""' )+ '"'
    | '`' ~[`\r\n]+ '`'
    ;

// What else has no end is a token of EOF, as it is in a mode.
ENDLESS : ["'`] ;

mode IN_COMMENT;

COMMENT_NESTED : '/*' -> more, pushMode(IN_COMMENT) ;

COMMENT_CLOSE
    : '*/' {
        popMode();
        if (_modeStack.isEmpty()) {
          _type = COMMENT;
          _channel = COMMENTS;
        } else {
          more();
        }
      }
    ;

COMMENT_MORE : ( ~[/*]+ | [/*] ) -> more ;

mode IN_DOLLARS;

TEXT_CLOSE : TAG { getText().endsWith(openingTag) }? -> type(TEXT), mode(DEFAULT_MODE) ;

TEXT_MORE : . -> more ;
