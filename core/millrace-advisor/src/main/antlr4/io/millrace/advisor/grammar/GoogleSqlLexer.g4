lexer grammar GoogleSqlLexer;

options { caseInsensitive = true; }

import Words;

channels { COMMENTS }

COMMENT
    : ( ( '--' | '#' ) ~[\r\n]*
      | '/*' .*? ( '*/' | EOF )
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

fragment ESCAPED : '\\' . ;
