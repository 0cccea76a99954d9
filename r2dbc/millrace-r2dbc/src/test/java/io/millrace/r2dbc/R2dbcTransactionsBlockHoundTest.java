package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.POSTGRESQL;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.OnDatabases;

/** Transactions that the library runs block no thread of a driver. */
@BlocksNoThread
@OnDatabases(POSTGRESQL)
class R2dbcTransactionsBlockHoundTest extends R2dbcTransactionsTest {}
