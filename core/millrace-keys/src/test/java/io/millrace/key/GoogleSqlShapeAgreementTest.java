package io.millrace.key;

import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SpannerTest
class GoogleSqlShapeAgreementTest extends ShapeAgreement {

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 32})
  void prefixesOfMd5(int width) {
    assertAgreement(
        strings(Inputs.strings()),
        "CONCAT(SUBSTR(TO_HEX(MD5(x)), 1, " + width + "), x)",
        HashPrefix.md5(width));
  }
}
