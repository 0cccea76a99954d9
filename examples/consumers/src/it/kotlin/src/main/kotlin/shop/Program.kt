package shop

import io.millrace.SequenceGenerator
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.runBlocking

/** Takes a number without blocking a thread, then as many as a flow collects. */
object Program {

  @JvmStatic
  fun main(arguments: Array<String>): Unit = runBlocking {
    ClassPath.print(arguments[0])
    ClassPath.has("millrace-core", "reactor-core-3.8", "kotlinx-coroutines-reactor")
    val ids = SequenceGenerator.builder(Counter(), "ids").build()
    ClassPath.same(ids.next().awaitSingle(), 1L)
    ClassPath.same(ids.values().asFlow().take(3).toList(), listOf(2L, 3L, 4L))
    ids.disposeLater().awaitSingleOrNull()
  }
}
