package io.millrace.periodic;

import java.time.LocalDate;

/**
 * A number of a period.
 *
 * @param period the period, such as {@code 2026-11}
 * @param number the number, which is unique in the period
 * @param text the formatted number, such as {@code 2026-11-000042}
 * @param date the day on which it was requested, in the zone of the numbers. It is always in the
 *     period: use it to date the document that has the number
 */
public record PeriodicValue(String period, long number, String text, LocalDate date) {}
