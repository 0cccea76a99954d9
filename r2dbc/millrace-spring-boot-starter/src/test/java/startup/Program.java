package startup;

import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application without beans of its own. It prints how long it took from the JVM's start. */
@SpringBootApplication
public class Program {

  public static void main(String[] arguments) {
    SpringApplication.run(Program.class, arguments);
    long begun = ManagementFactory.getRuntimeMXBean().getStartTime();
    System.out.println("ready after " + (System.currentTimeMillis() - begun) + " ms");
    System.exit(0);
  }
}
