package io.millrace.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Holds if {@code millrace.store} is this, or leaves the choice open. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnStoreCondition.class)
@interface ConditionalOnStore {

  StoreChoice value();
}
