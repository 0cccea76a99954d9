package io.millrace.webflux;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/** An order as a client sends it. */
record NewOrder(
    @NotBlank @Size(max = 100) String customer,
    @NotBlank @Size(max = 100) String item,
    @NotNull @Positive @Max(1_000) Integer quantity) {

  Order withoutId() {
    return new Order(null, customer, item, quantity);
  }
}
