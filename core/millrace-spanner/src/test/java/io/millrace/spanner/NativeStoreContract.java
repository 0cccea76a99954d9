package io.millrace.spanner;

import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.SequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of all stores, over Spanner's own sequences, on each kind of database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NativeStoreContract extends SequenceStoreContract {

  private NativeSequenceStore store;
  private NativeSequenceStore another;
  private DatabaseAdminClient admin;
  private Wire wire;

  @BeforeAll
  void connect(EmulatorDatabase database) {
    admin = database.spanner().createDatabaseAdminClient();
    wire = new Wire(database);
    store = NativeSequenceStore.builder(database.client()).admin(admin, database.id()).build();
    another = NativeSequenceStore.builder(wire.client()).admin(admin, database.id()).build();
  }

  @AfterAll
  void disconnect() {
    wire.close();
    admin.close();
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected SequenceStore anotherStore() {
    return another;
  }

  /** The name is one of a schema's objects. */
  @Override
  protected String newName(String hint) {
    return "c_" + UUID.randomUUID().toString().replace("-", "") + "_" + hint;
  }

  @Override
  protected boolean takesAnyName() {
    return false;
  }
}
