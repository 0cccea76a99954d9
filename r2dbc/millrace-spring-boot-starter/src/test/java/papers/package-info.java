/** Tests of an application outside of the project's own packages. */
@NullMarked
package papers;

import org.jspecify.annotations.NullMarked;
