/** The code of docs/gapless.md and docs/inserts.md, outside of the project's own packages. */
@NullMarked
package recipes;

import org.jspecify.annotations.NullMarked;
