package io.millrace.ledger;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** All entries of a sequence, page by page. */
final class LedgerPages {

  static final int PAGE = 1_000;

  private LedgerPages() {}

  static Flux<LedgerEntry> of(SequenceLedger ledger, String sequence) {
    return ledger
        .page(sequence, null, PAGE)
        .expand(
            page ->
                page.size() < PAGE
                    ? Mono.empty()
                    : ledger.page(sequence, page.get(page.size() - 1), PAGE))
        .concatMapIterable(page -> page, 1);
  }
}
