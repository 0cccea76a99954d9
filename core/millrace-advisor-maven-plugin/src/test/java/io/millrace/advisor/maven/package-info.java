@NullMarked
package io.millrace.advisor.maven;

import org.jspecify.annotations.NullMarked;
