// The statements that make keys and indexes, in both dialects of Spanner. All else is passed by: a
// statement that fits no rule, and what is in parentheses or has "unknown" in its name.
parser grammar DdlParser;

options { tokenVocab = GoogleSqlLexer; }

statement
    : CREATE TABLE ifNotExists? path OPEN element ( COMMA element )* CLOSE tableClause* EOF  # createTable
    | CREATE ( UNIQUE | NULL_FILTERED )* INDEX ifNotExists? path? ON path ( USING name )?
      keyParts indexClause* EOF                                                              # createIndex
    | ALTER TABLE ifExists? ONLY? path alteration ( COMMA alteration )* EOF                  # alterTable
    | ALTER INDEX ifExists? path indexChange+ EOF                                            # alterIndex
    | DROP TABLE ifExists? path ( CASCADE | RESTRICT )? EOF                                  # dropTable
    | DROP INDEX ifExists? path ( CASCADE | RESTRICT )? EOF                                  # dropIndex
    | RENAME TABLE renaming ( COMMA renaming )* EOF                                          # renameTable
    | ( CREATE | ALTER | DROP ) ( SEQUENCE | SCHEMA | DATABASE ) ~SEMICOLON* EOF             # withoutKeys
    ;

ifNotExists : IF NOT EXISTS ;
ifExists : IF EXISTS ;
renaming : path TO path ( WITH SYNONYM )? ;

// An element of CREATE TABLE; it is empty between the last comma and the parenthesis.
element
    : constraint
    | SYNONYM OPEN path CLOSE
    | column
    | unknownElement
    |
    ;

constraint
    : ( CONSTRAINT name )?
      ( PRIMARY KEY keyParts
      | FOREIGN KEY names REFERENCES path names?
      | CHECK group
      | UNIQUE group
      ) ( ~( OPEN | CLOSE | COMMA ) | group )*
    ;

unknownElement
    : ( LESS | GREATER | OPEN_BRACKET | CLOSE_BRACKET | DOT | EQUALS | NUMBER | TEXT | SYMBOL | group )
      ( ~( OPEN | CLOSE | COMMA ) | group )*
    ;

column : name type columnClause* ;

columnClause
    : ( CONSTRAINT name )? NOT NULL                                                 # notNull
    | ( CONSTRAINT name )? NULL                                                     # mayBeNull
    | ( CONSTRAINT name )? DEFAULT value                                            # withDefault
    | ( CONSTRAINT name )? ON UPDATE value                                          # onUpdate
    | ( ( CONSTRAINT name )? GENERATED ( ALWAYS | BY DEFAULT ) AS IDENTITY group?
      | AUTO_INCREMENT )                                                            # identity
    | ( ( CONSTRAINT name )? GENERATED ALWAYS )? AS group ( STORED | VIRTUAL )?     # generated
    | ( CONSTRAINT name )? PRIMARY KEY                                              # primaryKeyColumn
    | ( CONSTRAINT name )? REFERENCES path names?
      ( ON ( DELETE | UPDATE ) action | NOT? ENFORCED )*                            # references
    | ( CONSTRAINT name )? CHECK group                                              # check
    | OPTIONS optionList                                                            # columnOptions
    | ( HIDDEN_ | PLACEMENT KEY | VECTOR LENGTH NUMBER )                            # otherOfColumn
    | unknownOfColumn                                                               # otherOfColumn
    ;

value : NULL | unknownOfColumn ;

unknownOfColumn
    : ( ~( OPEN | CLOSE | COMMA | NOT | NULL | DEFAULT | ON | GENERATED | AUTO_INCREMENT | AS | CONSTRAINT | PRIMARY
         | REFERENCES | CHECK | OPTIONS | HIDDEN_ | PLACEMENT | VECTOR )
      | group
      )+
    ;

optionList : OPEN ( option ( COMMA option )* COMMA? )? CLOSE ;

option : name EQUALS ( NULL | optionValue ) ;

optionValue
    : ( ~( OPEN | CLOSE | COMMA | OPEN_BRACKET | CLOSE_BRACKET )
      | group
      | OPEN_BRACKET ~CLOSE_BRACKET* CLOSE_BRACKET
      )+
    ;

type
    : typeName ( VARYING | PRECISION )? typeArguments? group?
      ( ( WITH | WITHOUT ) TIME ZONE )? ( ARRAY | OPEN_BRACKET NUMBER? CLOSE_BRACKET )*
    ;

typeName : ( WORD | QUOTED | ARRAY | INTERVAL | TIME ) ( DOT name )* | name ( DOT name )+ ;

typeArguments : LESS typeArgument ( COMMA typeArgument )* GREATER ;

typeArgument : name? type ;

// Behind the parentheses of CREATE TABLE.
tableClause
    : PRIMARY KEY keyParts
    | INTERLEAVE IN PARENT? path ( ON DELETE action )?
    | ROW DELETION POLICY group
    | TTL ttl
    | OPTIONS group
    | ( LOCALITY GROUP | COLUMNAR POLICY ) name
    | COMMA
    | unknownOfTable
    ;

unknownOfTable
    : ( ~( OPEN | CLOSE | COMMA | PRIMARY | INTERLEAVE | ROW | TTL | OPTIONS | LOCALITY | COLUMNAR )
      | group
      )+
    ;

ttl : INTERVAL TEXT ON name ;

action : CASCADE | NO ACTION | RESTRICT | SET ( NULL | DEFAULT ) ;

indexClause
    : ( STORING | INCLUDE ) names
    | INTERLEAVE IN path
    | WHERE condition
    | OPTIONS group
    | ( LOCALITY GROUP | COLUMNAR POLICY ) name
    | COMMA
    | unknownOfIndex
    ;

unknownOfIndex : otherOfIndex+ ( COMMA otherOfIndex+ )* ;

otherOfIndex
    : ~( OPEN | CLOSE | COMMA | STORING | INCLUDE | INTERLEAVE | WHERE | OPTIONS | LOCALITY | COLUMNAR )
    | group
    ;

condition : notNullColumn ( AND notNullColumn )* ;

notNullColumn : name IS NOT NULL | OPEN condition CLOSE ;

indexChange
    : ( ADD | DROP ) ( STORED | INCLUDE ) COLUMN? ( IF NOT? EXISTS )? name
    | SET? OPTIONS group
    | SET ( LOCALITY GROUP | COLUMNAR POLICY ) ( name | TEXT )
    | unknownOfChange
    ;

unknownOfChange : ( ~( OPEN | CLOSE ) | group )+ ;

alteration
    : ADD constraint                                                  # addConstraint
    | DROP CONSTRAINT ifExists? name ( CASCADE | RESTRICT )?          # dropConstraint
    | ALTER CONSTRAINT name unknownOfColumn                           # alterConstraint
    | ( ADD | REPLACE ) ROW DELETION POLICY group                     # deletionPolicy
    | ( ADD | ALTER ) TTL ttl                                         # deletionPolicy
    | DROP ( ROW DELETION POLICY | TTL )                              # dropDeletionPolicy
    | ADD SYNONYM path                                                # addSynonym
    | DROP SYNONYM path                                               # dropSynonym
    | ADD COLUMN? ifNotExists? column                                 # addColumn
    | DROP COLUMN? ifExists? name ( CASCADE | RESTRICT )?             # dropColumn
    | ALTER ( COLUMN name | columnName ) columnChange                 # alterColumn
    | ( ALTER TABLE ifExists? ONLY? path )?
      RENAME ( WITH SYNONYM )? TO path ( WITH SYNONYM )?              # renameTo
    | SET INTERLEAVE IN PARENT? path ( ON DELETE action )?            # setInterleave
    | SET ( ON DELETE action | OPTIONS group
          | ( LOCALITY GROUP | COLUMNAR POLICY ) name )               # otherChange
    ;

columnName : WORD | QUOTED | COLUMNAR | ONLY | RESTART | SKIP_ ;

// Whatever it is, it is a change of this column. Only GoogleSQL defines a column anew, by its type.
columnChange
    : ( SET DEFAULT value | DROP DEFAULT )
    | ( SET ON UPDATE value | DROP ON UPDATE )
    | ( SET | DROP ) NOT NULL
    | ( SET DATA )? TYPE type ( USING unknownOfColumn )?
    | SET OPTIONS optionList
    | sequenceChange
    | type columnClause*
    | unknownOfColumnChange
    ;

sequenceChange
    : ( ALTER IDENTITY | RESTART | SET ( NO | SKIP_ | GENERATED | LOCALITY ) )
      ~( OPEN | CLOSE | COMMA )* ( COMMA SYMBOL? NUMBER )?
    ;

unknownOfColumnChange
    : ~( OPEN | CLOSE | COMMA | WORD | QUOTED | ARRAY | INTERVAL | TIME )
      ( ~( OPEN | CLOSE | COMMA ) | group )*
    ;

keyParts : OPEN ( keyPart ( COMMA keyPart )* COMMA? )? CLOSE ;

keyPart : ( name | expression ) ( ASC | DESC )? ( NULLS ( FIRST | LAST ) )? ;

expression : ( ~( OPEN | CLOSE | COMMA | ASC | DESC | NULLS ) | group )+ ;

names : OPEN name ( COMMA name )* COMMA? CLOSE ;

path : name ( DOT name )* ;

// No word is reserved: the rule that a name is in tells it from a keyword.
name : ~( OPEN | CLOSE | LESS | GREATER | OPEN_BRACKET | CLOSE_BRACKET | COMMA | DOT | EQUALS | NUMBER | TEXT | SYMBOL ) ;

group : OPEN ( ~( OPEN | CLOSE ) | group )* CLOSE ;
