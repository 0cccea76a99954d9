/** Tests of an application outside of the project's own packages. */
@NullMarked
package yearly;

import org.jspecify.annotations.NullMarked;
