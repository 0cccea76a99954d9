/** The code of docs/recipes.md, outside of the project's own packages. */
@NullMarked
package recipes;

import org.jspecify.annotations.NullMarked;
