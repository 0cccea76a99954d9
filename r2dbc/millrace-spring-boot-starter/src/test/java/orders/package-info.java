/** Tests of an application outside of the project's own packages. */
@NullMarked
package orders;

import org.jspecify.annotations.NullMarked;
