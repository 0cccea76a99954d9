lexer grammar GoogleSqlLexer;

options { caseInsensitive = true; }

import Words;

channels { COMMENTS }

COMMENT
    : ( ( '--' | '#' ) ~[\r\n]*
      | '/*' .*? '*/'
      ) -> channel(COMMENTS)
    ;

// Raw or of bytes; a backslash keeps a quote from ending the text in each form.
TEXT
    : [RB]? [RB]?
      ( '"""' ( ESCAPED | ~'\\' )*? '"""'
      | '\'\'\'' ( ESCAPED | ~'\\' )*? '\'\'\''
      | '"' ( ESCAPED | ~["\\\r\n] )* '"'
      | '\'' ( ESCAPED | ~['\\\r\n] )* '\''
      )
    ;

QUOTED : '`' ( ESCAPED | ~[`\\\r\n] )+ '`' ;

// What nothing closes, up to the end of the file. If it is closed, a rule above fits, and is first.
ENDLESS
    : '/*' .*? ( '*/' | EOF )
    | [RB]? [RB]?
      ( '"""' ( ESCAPED | ~'\\' )*? ( '"""' | '\\'? EOF )
      | '\'\'\'' ( ESCAPED | ~'\\' )*? ( '\'\'\'' | '\\'? EOF )
      )
    | ["'`]
    ;

fragment ESCAPED : '\\' . ;
