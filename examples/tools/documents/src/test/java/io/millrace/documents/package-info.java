@NullMarked
package io.millrace.documents;

import org.jspecify.annotations.NullMarked;
