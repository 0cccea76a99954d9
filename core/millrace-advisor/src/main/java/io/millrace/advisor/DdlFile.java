package io.millrace.advisor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a DDL file. */
record DdlFile(Path path, String text) {

  /** A schema of Spanner's has some 10,000 lines at most. What is larger is a dump of data. */
  private static final long MAX_BYTES = 32L << 20;

  /**
   * Reads a file.
   *
   * @throws SchemaFileException if it is missing, unreadable, too large or no text
   */
  static DdlFile read(Path path) {
    try {
      if (Files.isDirectory(path)) {
        throw new SchemaFileException(path, path + " is a folder");
      }
      long bytes = Files.size(path);
      if (bytes > MAX_BYTES) {
        throw new SchemaFileException(
            path, path + " has " + bytes + " bytes, and the limit is " + MAX_BYTES);
      }
      return new DdlFile(path, text(path, Files.readAllBytes(path)));
    } catch (NoSuchFileException missing) {
      throw new SchemaFileException(
          path,
          Files.isSymbolicLink(path)
              ? path + " is a link to a file that is not there"
              : "there is no file " + path);
    } catch (IOException failure) {
      throw new SchemaFileException(path, path + " cannot be read: " + failure.getMessage());
    }
  }

  private static String text(Path path, byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf('\0') >= 0) {
        throw new SchemaFileException(path, path + " is not text: it has NUL characters");
      }
      return text;
    } catch (CharacterCodingException other) {
      throw new SchemaFileException(path, path + " is not UTF-8 text");
    }
  }
}
