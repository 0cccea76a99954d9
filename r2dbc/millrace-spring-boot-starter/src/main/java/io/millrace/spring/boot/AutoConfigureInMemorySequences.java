package io.millrace.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Keeps the sequences of a test in memory, in place of the store that the application configures or
 * defines. Use it on a class with {@code @SpringBootTest}, {@code @WebFluxTest},
 * {@code @DataR2dbcTest} or another slice. Requires {@code io.millrace:millrace-test} and {@code
 * spring-test} on the test class path.
 *
 * <pre>{@code
 * @WebFluxTest(OrderController.class)
 * @AutoConfigureInMemorySequences
 * class OrderControllerTest {
 *
 *   @Autowired WebTestClient client;
 *   @Autowired InMemorySequenceStore store;
 * }
 * }</pre>
 *
 * <p>The store is a bean of type {@code InMemorySequenceStore}, so a test can delay its requests or
 * make them fail. The sequences of {@code millrace.sequences}, {@code millrace.templates} and
 * {@code millrace.gapless} exist, with the start values of their properties; any other sequence,
 * such as one of a template with {@code create: false}, must be created. {@code millrace.store},
 * {@code millrace.create-table} and {@code millrace.table} have no effect.
 *
 * <p>Sequences of {@code millrace.gapless} are beans of the types that they have over R2DBC and,
 * with {@code millrace-spanner}, over Spanner's client. They need no transaction, and a rollback
 * does not return their values: test those, and a {@code RowWriter}, on H2 without this annotation.
 *
 * <p>Test classes that share a context share its counters, so values continue from one test to the
 * next. If a test needs the first value, annotate its class with {@code @DirtiesContext}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TestPropertySource(properties = {"millrace.defaults.create=true", "millrace.create-table=false"})
@ImportAutoConfiguration // the classes that META-INF/spring lists under this name
public @interface AutoConfigureInMemorySequences {}
