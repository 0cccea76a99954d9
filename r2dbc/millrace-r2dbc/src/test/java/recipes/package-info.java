/** Code of the pages under docs, outside of the project's own packages. */
@NullMarked
package recipes;

import org.jspecify.annotations.NullMarked;
