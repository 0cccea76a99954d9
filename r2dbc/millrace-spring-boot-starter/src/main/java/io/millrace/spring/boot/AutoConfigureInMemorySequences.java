package io.millrace.spring.boot;

import io.millrace.spring.SpringPeriodicSequence;
import io.millrace.spring.SpringTransactionalSequence;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * For a test class with {@code @SpringBootTest}, {@code @WebFluxTest}, {@code @DataR2dbcTest} or
 * another slice: its sequences count in memory, in place of the store that the application
 * configures or defines. It needs {@code io.millrace:millrace-test} and {@code spring-test} on the
 * class path of the tests.
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
 * <p>The store is a bean of type {@code InMemorySequenceStore}, so a test can make it slow or let
 * it fail. The sequences of {@code millrace.sequences}, {@code millrace.templates} and {@code
 * millrace.transactional} exist, with the start values of their properties. Another sequence has to
 * be created. {@code millrace.store}, {@code millrace.create-table} and the names of table and
 * columns have no effect.
 *
 * <p>Sequences of {@code millrace.transactional} take their values from memory, too. Each is there
 * as a {@link SpringTransactionalSequence} and, with {@code millrace-spanner}, as a {@code
 * TransactionalSequence<SpannerTransaction>}; with a period as a {@link SpringPeriodicSequence} and
 * a {@code PeriodicTransactionalSequence<SpannerTransaction>}. The first needs a transaction if
 * there is a {@code ConnectionFactory}; its rollback does not give the values back. In a slice
 * without one no transaction can begin, and none is needed.
 *
 * <p>Test classes that share a context share its counters: the values continue from one test to the
 * next. A test that needs the first value annotates its class with {@code @DirtiesContext}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TestPropertySource(properties = "millrace.defaults.create=true")
@ImportAutoConfiguration // the classes that META-INF/spring lists under this name
public @interface AutoConfigureInMemorySequences {}
