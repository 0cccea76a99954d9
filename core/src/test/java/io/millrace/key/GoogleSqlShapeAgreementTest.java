package io.millrace.key;

import com.google.cloud.spanner.Value;
import io.millrace.emulator.SpannerTest;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SpannerTest
class GoogleSqlShapeAgreementTest extends ShapeAgreement {

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 32})
  void prefixesOfMd5(int width) {
    List<String> texts = Inputs.stringsWithoutTheEmptyOne();
    assertAgreement(
        "CONCAT(SUBSTR(TO_HEX(MD5(x)), 1, " + width + "), x)",
        texts,
        Value.stringArray(texts),
        HashPrefix.md5(width));
  }
}
