package io.millrace.spring.boot;

/** Makes the beans of {@code millrace.transactional}. */
interface TransactionalSource {

  /** The method that the bean factory calls for each name. */
  String METHOD = "named";

  /**
   * Makes the bean of one name. The return type of the method in the class is the type of the bean.
   */
  Object named(String name);
}
