package io.millrace.webflux;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.spring.SequenceValue;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A stored order.
 *
 * @param id a number of the sequence with its bits reversed, which spreads new rows over the key
 *     space; null before the order is saved. A string in JSON, because it may exceed the range of
 *     JavaScript's numbers
 */
@Table("orders")
record Order(
    @Id
        @SequenceValue(value = Order.SEQUENCE, key = SequenceValue.BIT_REVERSED)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable Long id,
    String customer,
    String item,
    int quantity) {

  static final String SEQUENCE = "order_id";
}
