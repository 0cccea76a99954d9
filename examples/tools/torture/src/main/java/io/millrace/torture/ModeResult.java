package io.millrace.torture;

import java.util.OptionalLong;

/**
 * What was found in one mode.
 *
 * @param received values that subscribers received
 * @param subscriptions how many subscriptions or requests received values
 * @param gaps values that were reserved, and that no subscriber received
 * @param largestLoss the most gaps that are promised after what happened; empty if nothing is
 * @param orderChecked pairs of requests, or values within subscriptions, whose order is promised
 */
record ModeResult(
    Mode mode,
    long received,
    long subscriptions,
    long gaps,
    OptionalLong largestLoss,
    long orderChecked) {}
