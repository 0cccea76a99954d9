@NullMarked
package startup;

import org.jspecify.annotations.NullMarked;
