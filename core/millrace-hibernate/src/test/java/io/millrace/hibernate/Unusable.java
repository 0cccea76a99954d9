package io.millrace.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Entities with which no session factory can be built. */
@SuppressWarnings("NullAway.Init") // Hibernate would set the ids
public final class Unusable {

  private Unusable() {}

  @Entity
  public static class UnknownSequence {
    @Id
    @MillraceId("unknown_id")
    Long id;
  }

  @Entity
  public static class TextId {
    @Id
    @MillraceId("parcel_id")
    String id;
  }
}
