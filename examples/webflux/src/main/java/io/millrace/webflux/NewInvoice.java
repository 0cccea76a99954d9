package io.millrace.webflux;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;

/** An invoice as a client requests it. */
record NewInvoice(@NotNull Long order, @NotNull @Positive Integer cents) {

  Invoice withoutNumber() {
    return new Invoice(order, 0, cents);
  }
}
