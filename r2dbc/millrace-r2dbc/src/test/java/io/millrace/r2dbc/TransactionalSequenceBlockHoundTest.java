package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.OnDatabases;

/** Numbers without gaps block no thread of a driver. */
@BlocksNoThread
@OnDatabases({POSTGRESQL, MYSQL})
class TransactionalSequenceBlockHoundTest extends TransactionalSequenceTest {}
